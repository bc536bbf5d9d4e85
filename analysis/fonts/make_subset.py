"""Cut the shipped font out of Noto Sans CJK SC: the characters that reports, charts and tables can hold.

Run by hand when a source file holds a character that the font lacks (a test says so)::

    python analysis/fonts/make_subset.py NotoSansCJK-Regular.ttc [TEXT_FILE...]

The result has a name of its own, no layout tables and no hints. Characters of extra text files are added.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FACE = "Noto Sans CJK SC"
FAMILY = "Gdmj Sans SC"  # the licence asks for another name than the original's
SOURCES = ("*.py", "*.toml", "*.html", "*.css", "*.ipynb", "*.md")
BLOCKS = (
    (0x20, 0x7E),  # ASCII
    (0xA0, 0xFF),  # Latin-1
    (0x370, 0x3FF),  # Greek
    (0x2000, 0x206F),  # general punctuation
    (0x2070, 0x209F),  # superscripts and subscripts
    (0x20A0, 0x20BF),  # currency
    (0x2190, 0x21FF),  # arrows
    (0x2200, 0x22FF),  # mathematical operators
    (0x2460, 0x2473),  # circled numbers
    (0x25A0, 0x25FF),  # geometric shapes
    (0x3000, 0x303F),  # CJK punctuation
    (0xFF00, 0xFFEF),  # full-width forms
)


def gb2312_level_1() -> set[int]:
    """Return the code points of the 3,755 commonest characters of GB 2312 (rows 16 to 55)."""
    found = set()
    for row in range(0xB0, 0xD8):
        for cell in range(0xA1, 0xFF if row < 0xD7 else 0xFA):
            found.add(ord(bytes((row, cell)).decode("gb2312")))
    return found


def source_characters(extra: list[Path]) -> set[int]:
    """Return the code points of every character in the program's text files and in ``extra``; tests also use others."""
    files = [
        path
        for pattern in SOURCES
        for folder in ("sim", "analysis", "notebooks")
        for path in (ROOT / folder).rglob(pattern)
    ]
    files += list(ROOT.glob("*.md")) + extra
    return {ord(char) for path in files for char in path.read_text(encoding="utf-8")}


def rename(font: TTFont) -> None:
    """Give the subset its own family name; keep copyright and licence."""
    table = font["name"]
    version = table.getDebugName(5).split(";")[0]
    table.names = [record for record in table.names if record.nameID in (0, 13, 14) and record.langID == 0x409]
    postscript = FAMILY.replace(" ", "")
    for name_id, text in {
        1: FAMILY,
        2: "Regular",
        3: f"{postscript}-Regular",
        4: FAMILY,
        5: f"{version}; subset",
        6: f"{postscript}-Regular",
    }.items():
        table.setName(text, name_id, 3, 1, 0x409)
    cff = font["CFF "].cff
    cff.fontNames = [f"{postscript}-Regular"]
    top = cff.topDictIndex[0]
    top.FamilyName, top.FullName = FAMILY, FAMILY


def main(argv: list[str]) -> int:
    """Write GdmjSansSC.otf and .woff2 beside this file."""
    if not argv or argv[0] in ("-h", "--help"):
        sys.exit("usage: make_subset.py NotoSansCJK-Regular.ttc [TEXT_FILE...]")
    collection = TTCollection(argv[0])
    font = next(face for face in collection.fonts if face["name"].getDebugName(1) == FACE)
    wanted = gb2312_level_1() | source_characters([Path(text) for text in argv[1:]])
    for first, last in BLOCKS:
        wanted |= set(range(first, last + 1))
    options = subset.Options()
    options.layout_features = []
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = ["*"]
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "DSIG"]
    options.notdef_outline = True
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=wanted)
    cutter.subset(font)
    rename(font)
    font.flavor = None
    font.save(HERE / "GdmjSansSC.otf")
    font.flavor = "woff2"
    font.save(HERE / "GdmjSansSC.woff2")
    sys.stdout.write(f"{len(font.getBestCmap())} characters\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
