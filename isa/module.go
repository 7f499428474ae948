package isa

// Module is one PTX file after parsing: every name resolved, every instruction checked.
type Module struct {
	Source      *Source
	Version     Version // of .version
	Target      string  // first name of .target, as PTX spells it (sm_90a)
	Targets     []string
	AddressSize int // 32 or 64
	Funcs       []*Func
	Vars        []*Var // module scope: .global, .const, .shared, textures
	Aliases     []Alias
	Files       []DebugFile // .file
	Locs        []Loc       // .loc
	Dialect     bool        // some D1–D10 note applies: the article's dialect is used
}

// Version is a PTX ISA version such as 8.3.
type Version struct{ Major, Minor int }

// Less orders versions.
func (v Version) Less(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

// DebugFile is a `.file` directive.
type DebugFile struct {
	Index int
	Name  string
}

// Loc is a `.loc` directive: a place in the file that the PTX was compiled from.
type Loc struct {
	File, Line, Col int32
}

// Alias is `.alias name, aliasee;`.
type Alias struct {
	Name   string
	Target *Func
}

// Linkage is the linking directive of a function or variable.
type Linkage uint8

// The linking directives.
const (
	LinkNone Linkage = iota
	LinkVisible
	LinkExtern
	LinkWeak
	LinkCommon
)

// Space is a state space.
type Space uint8

// The state spaces. SpaceGeneric stands for an instruction that names none.
const (
	SpaceGeneric Space = iota
	SpaceReg
	SpaceGlobal
	SpaceShared
	SpaceLocal
	SpaceConst
	SpaceParam
	SpaceTex
)

// String returns the space's name without the dot.
func (s Space) String() string {
	return [...]string{"generic", "reg", "global", "shared", "local", "const", "param", "tex"}[s]
}

// Func is an entry, a function or the prototype of one.
type Func struct {
	Name    string
	Entry   bool
	Defined bool // it has a body
	Linkage Linkage
	NoRet   bool
	Pos     Pos
	End     Pos // the closing brace
	Source  *Source
	Params  []*Var // .param, or .reg (then Var.Reg is set)
	Results []*Var
	Regs    []RegDecl
	Vars    []*Var // .shared, .local, .param, .const, .global declared inside, all nested scopes
	Code    []Inst
	Labels  []Label
	Tables  []*Table
	Protos  []*Proto
	Limits  Limits
}

// RegDecl is one register after expansion of %r<10>.
type RegDecl struct {
	Name string
	Type Type
	Vec  uint8 // 0, 2 or 4
	Pos  Pos
}

// Label is a place in Func.Code.
type Label struct {
	Name   string
	Target int32 // index into Code; len(Code) for a label at the end
	Pos    Pos
}

// Limits are the performance directives of an entry; zero where none was given.
type Limits struct {
	MaxNTID, ReqNTID, ReqNCTAPerCluster [3]int
	MaxNReg, MinNCTAPerSM               int
	MaxClusterRank                      int
	ExplicitCluster                     bool
	BlocksAreClusters                   bool // the launch's grid counts clusters
	Pragmas                             []string
}

// Var is a variable or parameter.
type Var struct {
	Name     string
	Space    Space
	Type     Type
	Vec      uint8 // 0, 2, 4
	Align    int   // bytes; at least the type's own
	Dims     []int // array dimensions; a 0 stands for []
	Size     int   // bytes; 0 for an unsized array
	Linkage  Linkage
	Pos      Pos
	Reg      Reg // of a .reg parameter, else NoReg
	Offset   int // of a .param: offset in the parameter block, C layout
	Init     []InitItem
	Managed  bool
	Ptr      bool  // .ptr
	PtrSpace Space // of .ptr .global
	PtrAlign int
	Func     *Func // the function it is declared in, nil at module scope
}

// InitItem is one initialised element.
type InitItem struct {
	Offset  int    // bytes from the variable's start
	Size    int    // bytes
	Bits    uint64 // the value, or the mask and shift of a symbol
	Var     *Var   // the address of a variable plus Bits
	Func    *Func  // the address of a function
	Generic bool   // generic(name)
	Mask    uint64 // 0xff(name): the byte picked; 0: all
}

// Table is `.branchtargets` (Targets) or `.calltargets` (Funcs).
type Table struct {
	Name    string
	Targets []int32
	Funcs   []*Func
	Pos     Pos
}

// Proto is a `.callprototype`.
type Proto struct {
	Name    string
	Params  []*Var
	Results []*Var
	NoRet   bool
	Pos     Pos
}

// EntryNamed returns the entry or function of that name, or nil.
func (m *Module) EntryNamed(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name && (f.Defined || !f.Entry) {
			return f
		}
	}
	return nil
}
