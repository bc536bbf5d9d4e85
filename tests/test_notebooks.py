import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TINY = {"hands": 512, "sessions": 64}  # in place of what the cells tagged `parameters` say


@pytest.fixture(params=NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


def test_the_notebooks_of_the_readme_are_there():
    readme = (FOLDER.parent / "README.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"Read the notebooks in `notebooks/` in this order: (.+)\.", readme)
    named = {name.strip("`") for name in listed.split(", ")}
    assert named <= {path.stem for path in NOTEBOOKS}


def test_notebooks_are_stored_without_outputs(notebook):
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_notebooks_define_nothing_but_what_the_reader_is_to_change(notebook):
    for cell in code_of(notebook):
        nodes = ast.walk(ast.parse(cell.source))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        assert "yours" in tags(cell) or not any(isinstance(node, kinds) for node in nodes)


def test_notebooks_are_in_both_languages(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"```.*?```|`[^`]*`", "", cell.source, flags=re.DOTALL)
            assert re.search("[\u4e00-\u9fff]", text), cell.source
            assert re.search("[A-Za-z]{3}", text), cell.source


# The notebook's client and kernel warn about sockets and event loops of their own.
@pytest.mark.filterwarnings("default")
def test_notebooks_run(notebook, tmp_path):
    (tmp_path / "notebooks").mkdir()
    for cell in code_of(notebook):
        if "parameters" in tags(cell):
            for name, value in TINY.items():
                cell.source = re.sub(rf"^{name} = [\d_]+", f"{name} = {value}", cell.source, flags=re.MULTILINE)
    place = {"metadata": {"path": str(tmp_path / "notebooks")}}
    NotebookClient(notebook, timeout=600, kernel_name="python3", resources=place).execute()
    for cell in code_of(notebook):
        shown = [output["data"] for output in cell.outputs if "data" in output]
        if re.search(r"^plot\(|\nplot\(", cell.source):
            assert sum("image/svg+xml" in data for data in shown) == 1
        if re.search(r"^(?:run|run\.rules|result|rules\(.*|replay\(.*|evenings)$", cell.source.split("\n")[-1]):
            assert any('class="gdmj"' in data.get("text/html", "") for data in shown), cell.source
