package isa

import (
	"strings"
	"testing"
)

// Instructions in the forms that CUDA's libraries write by hand (barriers, bulk copies, matrix units, multicast memory):
// the order of modifiers, 32-bit shared addresses and sinks are theirs.
func TestInstructionsOfLibraries(t *testing.T) {
	byTarget := map[string]string{
		"sm_90a": `
			mbarrier.init.shared::cta.b64 [%u1], %u2;
			mbarrier.inval.shared::cta.b64 [%u1];
			mbarrier.arrive.shared::cta.b64 _, [%u1];
			mbarrier.arrive.shared::cluster.b64 _, [%u1];
			mbarrier.arrive.expect_tx.shared::cta.b64 _, [%u1], %u2;
			mbarrier.complete_tx.shared::cluster.relaxed.cluster.b64 [%u1], %u2;
			mbarrier.try_wait.parity.shared::cta.b64 %p1, [%u1], %u2, %u3;
			mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%u1], %u2;
			@%p2 mbarrier.test_wait.parity.shared::cta.b64 %p1, [%u1], %u2;
			cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%u1];
			mapa.shared::cluster.u32 %u1, %u2, %u3;
			fence.mbarrier_init.release.cluster;
			fence.proxy.async;
			fence.proxy.async.shared::cta;
			fence.proxy.tensormap::generic.acquire.gpu [%ud1], 128;
			fence.acq_rel.sys;
			barrier.cluster.arrive.relaxed.aligned;
			barrier.cluster.arrive.release.aligned;
			barrier.cluster.wait.acquire.aligned;
			bar.sync %u1, %u2;
			barrier.sync %u1, %u2;
			barrier.arrive %u1, %u2;
			bar.warp.sync 0xffffffff;
			elect.sync %u1|%p1, %u2;
			griddepcontrol.wait;
			griddepcontrol.launch_dependents;
			setmaxnreg.inc.sync.aligned.u32 240;
			setmaxnreg.dec.sync.aligned.u32 24;
			prefetch.tensormap [%ud1];
			cp.async.ca.shared.global.L2::128B [%u1], [%ud1], 16, %u2;
			cp.async.cg.shared.global.L2::128B [%u1], [%ud1], 16;
			@%p1 cp.async.cg.shared.global [%u1], [%ud1], 16;
			cp.async.commit_group;
			cp.async.wait_group 2;
			cp.async.wait_all;
			cp.async.bulk.commit_group;
			cp.async.bulk.wait_group.read 0;
			cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%u1], [%ud1], %u2, [%u3];
			cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%u1], [%ud1], %u2, [%u3], %ud2;
			cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%u1], [%u2], %u3, [%u4];
			cp.async.bulk.global.shared::cta.bulk_group [%ud1], [%u1], %u2;
			cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%ud1], [%u1], %u2;
			cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%u1], [%ud1, {%u2}], [%u3];
			cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%u1], [%ud1, {%u2, %u3, %u4, %u5, %u6}], [%u7], %uh1;
			cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%u1], [%ud1, {%u2, %u3, %u4, %u5}], [%u6], {%uh1, %uh2};
			cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%u1], [%ud1, {%u2, %u3}], [%u4], %ud2;
			cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%ud1, {%u1, %u2}], [%u3];
			cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%ud1, {%s1, %s2}], [%u1];
			cp.async.bulk.prefetch.tensor.2d.L2.global [%ud1, {%u1, %u2}];
			tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%u1], %ud1;
			tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%u1], 0, %u2;
			tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%u1], 1, %ud2;
			tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%ud1], [%u1], 128;
			wgmma.fence.sync.aligned;
			wgmma.commit_group.sync.aligned;
			wgmma.wait_group.sync.aligned 0;
			wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %ud1, %ud2, %p1, 1, 1, 0, 0;
			wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, %ud2, %p1, 1, 1, 0;
			wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%s1, %s2, %s3, %s4}, %ud1, %ud2, %p1;
			ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%b1, %b2, %b3, %b4}, [%u1];
			ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%b1, %b2}, [%u1];
			stmatrix.sync.aligned.x4.m8n8.shared.b16 [%u1], {%b1, %b2, %b3, %b4};
			movmatrix.sync.aligned.m8n8.trans.b16 %b1, %b2;
			mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, {%b5, %b6}, {%f5, %f6, %f7, %f8};
			ld.global.nc.L1::no_allocate.L2::256B.v4.f32 {%f1, %f2, %f3, %f4}, [%ud1];
			ld.volatile.global.v2.u64 {%ud1, %ud2}, [%ud3];
			ld.relaxed.sys.global.u64 %ud1, [%ud2];
			ld.acquire.sys.global.u32 %u1, [%ud1];
			st.release.sys.global.u32 [%ud1], %u1;
			st.global.L1::no_allocate.v4.s32 [%ud1], {%s1, %s2, %s3, %s4};
			st.volatile.global.v4.u32 [%ud1], {%u1, %u2, %u3, %u4};
			st.shared::cluster.u32 [%u1], %u2;
			st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%u1], {%b1, %b2, %b3, %b4}, [%u2];
			red.release.gpu.global.add.s32 [%ud1], %s1;
			red.release.sys.global.add.u32 [%ud1], 1;
			red.async.relaxed.cluster.add.u64.mbarrier::complete_tx::bytes.shared::cluster [%u1], %ud1, [%u2];
			atom.add.release.gpu.u64 %ud1, [%ud2], %ud3;
			atom.global.relaxed.sys.cas.b32 %b1, [%ud1], %b2, %b3;
			atom.global.add.noftz.bf16x2 %b1, [%ud1], %b2;
			multimem.ld_reduce.relaxed.sys.global.add.acc::f32.v4.bf16x2 {%b1, %b2, %b3, %b4}, [%ud1];
			multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%ud1];
			multimem.st.relaxed.sys.global.v4.f32 [%ud1], {%f1, %f2, %f3, %f4};
			multimem.red.release.sys.global.add.u32 [%ud1], 1;
			createpolicy.fractional.L2::evict_first.b64 %ud1, 1.0;
			mov.b128 %q1, {%ud1, %ud2};
			mov.b64 {%u1, %u2}, %ud1;
			lop3.b32 %b1, %b2, %b3, %b4, 0xEA;
			prmt.b32 %b1, %b2, %b3, 0x7632;
			cvt.rn.satfinite.e4m3x2.f32 %bh1, %f1, %f2;
			cvt.rn.f16x2.e5m2x2 %b1, %bh1;
			cvt.rn.relu.bf16x2.f32 %b1, %f1, %f2;
			cvt.rna.tf32.f32 %b1, %f1;
			ex2.approx.ftz.f32 %f1, %f2;
			tanh.approx.f32 %f1, %f2;
			nanosleep.u32 20;
			match.any.sync.b32 %b1, %b2, 0xffffffff;
			redux.sync.add.u32 %u1, %u2, 0xffffffff;
			shfl.sync.bfly.b32 %b1|%p1, %b2, 16, 31, -1;
			isspacep.shared %p1, %ud1;
			@%p1 trap;`,
		"sm_100a": `
			tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%u1], %u2;
			tcgen05.dealloc.cta_group::2.sync.aligned.b32 %u1, %u2;
			tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
			tcgen05.mma.cta_group::1.kind::f16 [%u1], %ud1, %ud2, %u2, {%u3, %u4, %u5, %u6}, %p1;
			tcgen05.mma.cta_group::1.kind::tf32 [%u1], [%u2], %ud2, %u3, {%u4, %u5, %u6, %u7}, %p1, 3;
			tcgen05.mma.cta_group::2.kind::f8f6f4 [%u1], %ud1, %ud2, %u2, {%u3, %u4, %u5, %u6, %u7, %u8, %u9, %u10}, %p1;
			tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale [%u1], %ud1, %ud2, %u2, [%u3], [%u4], %p1;
			tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%u1], %ud1, %ud2, %u2, [%u3], [%u4], %p1;
			tcgen05.mma.sp.cta_group::1.kind::f16 [%u1], %ud1, %ud2, [%u2], %u3, {%u4, %u5, %u6, %u7}, %p1;
			tcgen05.mma.ws.cta_group::1.kind::i8 [%u1], %ud1, %ud2, %u2, %p1;
			tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%u1];
			tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%u1], %uh1;
			tcgen05.cp.cta_group::1.32x128b.warpx4 [%u1], %ud1;
			tcgen05.cp.cta_group::1.128x256b.b8x16.b4x16_p64 [%u1], %ud1;
			tcgen05.shift.cta_group::1.down [%u1];
			tcgen05.ld.sync.aligned.32x32b.x4.b32 {%u1, %u2, %u3, %u4}, [%u5];
			tcgen05.ld.sync.aligned.16x256b.x1.pack::16b.b32 {%u1, %u2, %u3, %u4}, [%u5];
			tcgen05.st.sync.aligned.32x32b.x2.b32 [%u1], {%u2, %u3};
			tcgen05.wait::ld.sync.aligned;
			tcgen05.wait::st.sync.aligned;
			tcgen05.fence::before_thread_sync;
			tcgen05.fence::after_thread_sync;
			clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%u1], [%u2];
			clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, %q1;
			@%p1 clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%u1, %u2, %u3, _}, %q1;
			clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %u1, %q1;
			cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%u1], [%ud1, {%u2, %u3, %u4, %u5, %u6}], [%u7];
			cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%u1], [%ud1, {%u2, %u3}], [%u4], %uh1;
			ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%ud1];
			ld.global.nc.L1::no_allocate.L2::evict_first.v8.b32 {%b1, %b2, %b3, %b4, %b5, %b6, %b7, %b8}, [%ud1];
			fma.rn.f32x2 %bd1, %bd2, %bd3, %bd4;
			add.rn.ftz.f32x2 %bd1, %bd2, %bd3;
			cvt.rn.satfinite.e2m1x2.f32 %bb1, %f1, %f2;
			cvt.rz.satfinite.ue8m0x2.f32 %bh1, %f1, %f2;`,
		"sm_20": `
			mov.u16 %uh1, %ctaid.x;
			cvt.u32.u16 %u1, %tid.x;
			cvt.s32.u32 %s1, %laneid;
			mov.u32 %u1, %gridid;
			mul24.lo.u32 %u1, %u2, %u3;
			set.gt.u32.f32 %u1, %f1, %f2;
			vote.all.pred %p1, %p2;
			mov.pred %p1, -1;
			xor.pred %p1, %p2, -1;
			cvt.sat.f32.f32 %f1, %f2;
			cvt.rni.ftz.f32.f32 %f1, %f2;`,
		"sm_120a": `
			mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.e4m3.e4m3.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, {%b5, %b6}, {%f5, %f6, %f7, %f8}, {%b7}, {%uh1, %uh2}, {%b8}, {%uh3, %uh4};
			mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue4m3 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, {%b5, %b6}, {%f5, %f6, %f7, %f8}, {%b7}, {%uh1, %uh2}, {%b8}, {%uh3, %uh4};
			mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.f32.e2m1.e3m2.f32 {%f1, %f2, %f3, %f4}, {%b1, %b2, %b3, %b4}, {%b5, %b6}, {%f5, %f6, %f7, %f8};
			ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%b1, %b2, %b3, %b4}, [%u1];`,
	}
	for target, lines := range byTarget {
		m := &Module{Version: Version{9, 0}, Target: target}
		for _, line := range strings.Split(lines, "\n") {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			f, in, err := readInst(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			for _, p := range Check(m, f, in) {
				if p.Warning {
					continue
				}
				t.Errorf("%s\n%s: %s [%s]", line, p.Code, p.Msg, p.Hint)
			}
		}
	}
}
