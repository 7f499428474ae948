package isa

// Special is a special register (PTX ISA, chapter "Special Registers"), or %cardid and %ncards of the article's dialect.
type Special uint8

// The special registers, in the order of the manual.
const (
	SpecialNone Special = iota
	SpecialTID
	SpecialNTID
	SpecialLaneID
	SpecialWarpID
	SpecialNWarpID
	SpecialCTAID
	SpecialNCTAID
	SpecialSMID
	SpecialNSMID
	SpecialGridID
	SpecialIsExplicitCluster
	SpecialClusterID
	SpecialNClusterID
	SpecialClusterCTAID
	SpecialClusterNCTAID
	SpecialClusterCTARank
	SpecialClusterNCTARank
	SpecialLanemaskEq
	SpecialLanemaskLe
	SpecialLanemaskLt
	SpecialLanemaskGe
	SpecialLanemaskGt
	SpecialClock
	SpecialClockHi
	SpecialClock64
	SpecialGlobaltimer
	SpecialGlobaltimerLo
	SpecialGlobaltimerHi
	SpecialReservedSmemOffsetBegin
	SpecialReservedSmemOffsetEnd
	SpecialReservedSmemOffsetCap
	SpecialReservedSmemOffset_0
	SpecialReservedSmemOffset_1
	SpecialTotalSmemSize
	SpecialAggrSmemSize
	SpecialDynamicSmemSize
	SpecialCurrentGraphExec
	SpecialPm0
	SpecialPm1
	SpecialPm2
	SpecialPm3
	SpecialPm4
	SpecialPm5
	SpecialPm6
	SpecialPm7
	SpecialPm0_64
	SpecialPm1_64
	SpecialPm2_64
	SpecialPm3_64
	SpecialPm4_64
	SpecialPm5_64
	SpecialPm6_64
	SpecialPm7_64
	SpecialEnvreg0
	SpecialEnvreg1
	SpecialEnvreg2
	SpecialEnvreg3
	SpecialEnvreg4
	SpecialEnvreg5
	SpecialEnvreg6
	SpecialEnvreg7
	SpecialEnvreg8
	SpecialEnvreg9
	SpecialEnvreg10
	SpecialEnvreg11
	SpecialEnvreg12
	SpecialEnvreg13
	SpecialEnvreg14
	SpecialEnvreg15
	SpecialEnvreg16
	SpecialEnvreg17
	SpecialEnvreg18
	SpecialEnvreg19
	SpecialEnvreg20
	SpecialEnvreg21
	SpecialEnvreg22
	SpecialEnvreg23
	SpecialEnvreg24
	SpecialEnvreg25
	SpecialEnvreg26
	SpecialEnvreg27
	SpecialEnvreg28
	SpecialEnvreg29
	SpecialEnvreg30
	SpecialEnvreg31
	SpecialCardID
	SpecialNCards
	NumSpecials
)

type specialRow struct {
	name   string
	typ    Type
	vector bool // has .x .y .z .w
}

var specialRows = [NumSpecials]specialRow{
	SpecialTID:                     {"%tid", U32, true},
	SpecialNTID:                    {"%ntid", U32, true},
	SpecialLaneID:                  {"%laneid", U32, false},
	SpecialWarpID:                  {"%warpid", U32, false},
	SpecialNWarpID:                 {"%nwarpid", U32, false},
	SpecialCTAID:                   {"%ctaid", U32, true},
	SpecialNCTAID:                  {"%nctaid", U32, true},
	SpecialSMID:                    {"%smid", U32, false},
	SpecialNSMID:                   {"%nsmid", U32, false},
	SpecialGridID:                  {"%gridid", U64, false},
	SpecialIsExplicitCluster:       {"%is_explicit_cluster", Pred, false},
	SpecialClusterID:               {"%clusterid", U32, true},
	SpecialNClusterID:              {"%nclusterid", U32, true},
	SpecialClusterCTAID:            {"%cluster_ctaid", U32, true},
	SpecialClusterNCTAID:           {"%cluster_nctaid", U32, true},
	SpecialClusterCTARank:          {"%cluster_ctarank", U32, false},
	SpecialClusterNCTARank:         {"%cluster_nctarank", U32, false},
	SpecialLanemaskEq:              {"%lanemask_eq", U32, false},
	SpecialLanemaskLe:              {"%lanemask_le", U32, false},
	SpecialLanemaskLt:              {"%lanemask_lt", U32, false},
	SpecialLanemaskGe:              {"%lanemask_ge", U32, false},
	SpecialLanemaskGt:              {"%lanemask_gt", U32, false},
	SpecialClock:                   {"%clock", U32, false},
	SpecialClockHi:                 {"%clock_hi", U32, false},
	SpecialClock64:                 {"%clock64", U64, false},
	SpecialGlobaltimer:             {"%globaltimer", U64, false},
	SpecialGlobaltimerLo:           {"%globaltimer_lo", U32, false},
	SpecialGlobaltimerHi:           {"%globaltimer_hi", U32, false},
	SpecialReservedSmemOffsetBegin: {"%reserved_smem_offset_begin", U32, false},
	SpecialReservedSmemOffsetEnd:   {"%reserved_smem_offset_end", U32, false},
	SpecialReservedSmemOffsetCap:   {"%reserved_smem_offset_cap", U32, false},
	SpecialReservedSmemOffset_0:    {"%reserved_smem_offset_0", U32, false},
	SpecialReservedSmemOffset_1:    {"%reserved_smem_offset_1", U32, false},
	SpecialTotalSmemSize:           {"%total_smem_size", U32, false},
	SpecialAggrSmemSize:            {"%aggr_smem_size", U32, false},
	SpecialDynamicSmemSize:         {"%dynamic_smem_size", U32, false},
	SpecialCurrentGraphExec:        {"%current_graph_exec", U64, false},
	SpecialPm0:                     {"%pm0", U32, false},
	SpecialPm1:                     {"%pm1", U32, false},
	SpecialPm2:                     {"%pm2", U32, false},
	SpecialPm3:                     {"%pm3", U32, false},
	SpecialPm4:                     {"%pm4", U32, false},
	SpecialPm5:                     {"%pm5", U32, false},
	SpecialPm6:                     {"%pm6", U32, false},
	SpecialPm7:                     {"%pm7", U32, false},
	SpecialPm0_64:                  {"%pm0_64", U64, false},
	SpecialPm1_64:                  {"%pm1_64", U64, false},
	SpecialPm2_64:                  {"%pm2_64", U64, false},
	SpecialPm3_64:                  {"%pm3_64", U64, false},
	SpecialPm4_64:                  {"%pm4_64", U64, false},
	SpecialPm5_64:                  {"%pm5_64", U64, false},
	SpecialPm6_64:                  {"%pm6_64", U64, false},
	SpecialPm7_64:                  {"%pm7_64", U64, false},
	SpecialEnvreg0:                 {"%envreg0", U32, false},
	SpecialEnvreg1:                 {"%envreg1", U32, false},
	SpecialEnvreg2:                 {"%envreg2", U32, false},
	SpecialEnvreg3:                 {"%envreg3", U32, false},
	SpecialEnvreg4:                 {"%envreg4", U32, false},
	SpecialEnvreg5:                 {"%envreg5", U32, false},
	SpecialEnvreg6:                 {"%envreg6", U32, false},
	SpecialEnvreg7:                 {"%envreg7", U32, false},
	SpecialEnvreg8:                 {"%envreg8", U32, false},
	SpecialEnvreg9:                 {"%envreg9", U32, false},
	SpecialEnvreg10:                {"%envreg10", U32, false},
	SpecialEnvreg11:                {"%envreg11", U32, false},
	SpecialEnvreg12:                {"%envreg12", U32, false},
	SpecialEnvreg13:                {"%envreg13", U32, false},
	SpecialEnvreg14:                {"%envreg14", U32, false},
	SpecialEnvreg15:                {"%envreg15", U32, false},
	SpecialEnvreg16:                {"%envreg16", U32, false},
	SpecialEnvreg17:                {"%envreg17", U32, false},
	SpecialEnvreg18:                {"%envreg18", U32, false},
	SpecialEnvreg19:                {"%envreg19", U32, false},
	SpecialEnvreg20:                {"%envreg20", U32, false},
	SpecialEnvreg21:                {"%envreg21", U32, false},
	SpecialEnvreg22:                {"%envreg22", U32, false},
	SpecialEnvreg23:                {"%envreg23", U32, false},
	SpecialEnvreg24:                {"%envreg24", U32, false},
	SpecialEnvreg25:                {"%envreg25", U32, false},
	SpecialEnvreg26:                {"%envreg26", U32, false},
	SpecialEnvreg27:                {"%envreg27", U32, false},
	SpecialEnvreg28:                {"%envreg28", U32, false},
	SpecialEnvreg29:                {"%envreg29", U32, false},
	SpecialEnvreg30:                {"%envreg30", U32, false},
	SpecialEnvreg31:                {"%envreg31", U32, false},
	SpecialCardID:                  {"%cardid", U32, false},
	SpecialNCards:                  {"%ncards", U32, false},
}

var specialByName = func() map[string]Special {
	m := make(map[string]Special, NumSpecials)
	for s := SpecialNone + 1; s < NumSpecials; s++ {
		m[specialRows[s].name] = s
	}
	return m
}()

// LookupSpecial finds a special register by its name with the percent sign and without .x.
func LookupSpecial(name string) (Special, bool) { s, ok := specialByName[name]; return s, ok }

// String returns the name with the percent sign.
func (s Special) String() string { return specialRows[s].name }

// Type returns the register's type.
func (s Special) Type() Type { return specialRows[s].typ }

// Vector reports a register with the parts .x, .y, .z and .w.
func (s Special) Vector() bool { return specialRows[s].vector }

// legacyType reports whether a special register may be read as the narrower type that it had in PTX 1.x: the thread and
// block numbers were 16 bits wide, %gridid 16 and then 32 (PTX ISA, "Special Registers"). The low bits are read.
func (s Special) legacyType(t Type) bool {
	if t.Kind() != KindBits && !t.Integer() {
		return false
	}
	switch s {
	case SpecialTID, SpecialNTID, SpecialCTAID, SpecialNCTAID:
		return t.Bits() == 16
	case SpecialGridID:
		return t.Bits() == 16 || t.Bits() == 32
	}
	return false
}
