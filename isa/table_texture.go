package isa

const (
	chapterTexture = "Texture Instructions"
	chapterSurface = "Surface Instructions"
)

var textureRows = []Row{
	{
		Op: OpTex, Meaning: "d = the texture's filtered element at c; p = it is resident", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterTexture,
		Lead: "base level grad", With: "geom=1d 2d 3d a1d a2d cube acube 2dms a2dms, dtype=u32 s32 f16 f32, ctype=s32 f32", Rule: textureRule,
		Forms: []Form{
			{Syntax: "tex.geom.v4.dtype.ctype d{|p}, [a, c] {, e} {, f}", Args: "=4*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.geom.v4.dtype.ctype d{|p}, [a, b, c] {, e} {, f}", Args: "=4*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.geom.v2.f16x2.ctype d{|p}, [a, c] {, e} {, f}", Args: "=2*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.geom.v2.f16x2.ctype d{|p}, [a, b, c] {, e} {, f}", Args: "=2*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.base.geom.v4.dtype.ctype d{|p}, [a, {b,} c] {, e} {, f}", Args: "=4*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.level.geom.v4.dtype.ctype d{|p}, [a, {b,} c], lod {, e} {, f}", Args: "=4*0|p_? [tex] 1 offset? f32?"},
			{Syntax: "tex.grad.geom.v4.dtype.ctype d{|p}, [a, {b,} c], dPdx, dPdy {, e} {, f}", Args: "=4*0|p_? [tex] gradient gradient offset? f32?"},
			{Syntax: "tex.base.geom.v2.f16x2.ctype d{|p}, [a, {b,} c] {, e} {, f}", Args: "=2*0|p_? [tex] offset? f32?"},
			{Syntax: "tex.level.geom.v2.f16x2.ctype d{|p}, [a, {b,} c], lod {, e} {, f}", Args: "=2*0|p_? [tex] 1 offset? f32?"},
			{Syntax: "tex.grad.geom.v2.f16x2.ctype d{|p}, [a, {b,} c], dPdx, dPdy {, e} {, f}", Args: "=2*0|p_? [tex] gradient gradient offset? f32?"},
		},
	},
	{
		Op: OpTld4, Meaning: "d = one component of the four texels around c; p = they are resident", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterTexture,
		With: "comp=r g b a, geom=2d a2d cube acube, dtype=u32 s32 f32", Rule: textureRule,
		Forms: []Form{
			{Syntax: "tld4.comp.2d.v4.dtype.f32 d{|p}, [a, c] {, e} {, f}", Args: "=4*0|p_? [tex] offset? f32?"},
			{Syntax: "tld4.comp.geom.v4.dtype.f32 d{|p}, [a, b, c] {, e} {, f}", Args: "=4*0|p_? [tex] offset? f32?"},
		},
	},
	{
		Op: OpTxq, Meaning: "d = an attribute of the texture or sampler", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterTexture,
		Lead: "level",
		Forms: []Form{
			{Syntax: "txq.tquery.b32 d, [a]", With: "tquery=width height depth channel_data_type channel_order normalized_coords array_size num_mipmap_levels num_samples", Args: "=0 [tex]"},
			{Syntax: "txq.level.tlquery.b32 d, [a], lod", With: "tlquery=width height depth", Args: "=0 [tex] u32"},
			{Syntax: "txq.squery.b32 d, [a]", With: "squery=force_unnormalized_coords filter_mode addr_mode_0 addr_mode_1 addr_mode_2", Args: "=0 [tex]"},
		},
	},
	{
		Op: OpIstypep, Meaning: "p = a points to an object of the type", Unit: UnitALU, Wait: WaitALU, Chapter: chapterTexture,
		Forms: []Form{{Syntax: "istypep.type p, a", With: "type=texref samplerref surfref", Args: "=p opaque"}},
	},
	{
		Op: OpSuld, Meaning: "d = surface[b]", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterSurface,
		Lead: "b", With: surfaceWords + ", dtype=b8 b16 b32 b64, cop=ca cg cs cv", Rule: surfaceRule,
		Forms: []Form{{Syntax: "suld.b.geom{.cop}.vec.dtype{.mode} d, [a, b]", With: "vec=none v2 v4", Args: "=~V0 [surf]", Rule: vectorLimit}},
	},
	{
		Op: OpSust, Meaning: "surface[b] = c", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterSurface,
		Lead: "b p", With: surfaceWords + ", vec=none v2 v4, cop=wb cg cs wt, ctype=b8 b16 b32 b64", Rule: surfaceRule,
		Forms: []Form{
			{Syntax: "sust.b.dim{.cop}.vec.ctype{.mode} [a, b], c", With: "dim=1d 2d 3d", Args: "[surf] ~V0", Rule: vectorLimit},
			{Syntax: "sust.p.dim.vec.b32{.mode} [a, b], c", With: "dim=1d 2d 3d", Args: "[surf] V0"},
			{Syntax: "sust.b.adim{.cop}.vec.ctype{.mode} [a, b], c", With: "adim=a1d a2d", Args: "[surf] ~V0", Rule: vectorLimit},
		},
	},
	{
		Op: OpSured, Meaning: "surface[b] = surface[b] op c", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterSurface,
		Lead: "b p", With: surfaceWords, Rule: surfaceRule,
		Forms: []Form{
			{Syntax: "sured.b.op.geom.ctype.mode [a,b],c", With: "op=add, geom=1d 2d 3d, ctype=u32 u64 s32", Args: "[surf] ~0"},
			{Syntax: "sured.b.op.geom.ctype.mode [a,b],c", With: "op=min max, geom=1d 2d 3d, ctype=u32 s32 u64 s64", Args: "[surf] ~0"},
			{Syntax: "sured.b.op.geom.ctype.mode [a,b],c", With: "op=and or, geom=1d 2d 3d, ctype=b32", Args: "[surf] ~0"},
			{Syntax: "sured.p.op.geom.ctype.mode [a,b],c", With: "op=add min max and or, geom=1d 2d 3d, ctype=b32 b64", Args: "[surf] ~0"},
		},
	},
	{
		Op: OpSuq, Meaning: "d = an attribute of the surface", Unit: UnitTEX, Wait: WaitMemory, Chapter: chapterSurface,
		Forms: []Form{{Syntax: "suq.query.b32 d, [a]", With: "query=width height depth channel_data_type channel_order array_size memory_layout", Args: "=0 [surf]"}},
	},
}

const surfaceWords = "geom=1d 2d 3d a1d a2d, mode=trap clamp zero"
