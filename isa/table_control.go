package isa

const chapterControl = "Control Flow Instructions"

var controlRows = []Row{
	{
		Op: OpBrxIdx, Meaning: "continue at tlist[index]", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterControl,
		Forms: []Form{{Syntax: "brx.idx{.uni} index, tlist", Args: "i table"}},
	},
	{
		Op: OpBra, Meaning: "continue at tgt", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterControl,
		Forms: []Form{{Syntax: "bra{.uni} tgt", Args: "label"}},
	},
	{
		Op: OpCall, Meaning: "ret-param = func(param-list)", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterControl, Rule: callRule,
		Forms: []Form{
			{Syntax: "call{.uni} (ret-param), func, (param-list)", Args: "list func list"},
			{Syntax: "call{.uni} func, (param-list)", Args: "func list"},
			{Syntax: "call{.uni} func", Args: "func"},
			{Syntax: "call{.uni} (ret-param), fptr, (param-list), flist", Args: "list fptr list table"},
			{Syntax: "call{.uni} fptr, (param-list), flist", Args: "fptr list table"},
			{Syntax: "call{.uni} fptr, flist", Args: "fptr table"},
			{Syntax: "call{.uni} (ret-param), fptr, (param-list), fproto", Args: "list fptr list table"},
			{Syntax: "call{.uni} fptr, (param-list), fproto", Args: "fptr list table"},
			{Syntax: "call{.uni} fptr, fproto", Args: "fptr table"},
			{Syntax: "call{.uni} (ret-param), func", Args: "list func"},
			{Syntax: "call{.uni} (ret-param), fptr, flist", Args: "list fptr table"},
		},
	},
	{
		Op: OpRet, Meaning: "return to the caller", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterControl,
		Forms: []Form{{Syntax: "ret{.uni}"}},
	},
	{
		Op: OpExit, Meaning: "end the thread", Unit: UnitBranch, Wait: WaitALU, Chapter: chapterControl,
		Forms: []Form{{Syntax: "exit"}},
	},
}
