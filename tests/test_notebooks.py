import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from tests import synthetic

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
CHARTS = {"first_look": 16, "tips": 5}


@pytest.fixture(params=NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_notebooks_are_stored_without_outputs(notebook):
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_notebooks_define_nothing(notebook):
    for cell in notebook.cells:
        if cell.cell_type == "code":
            nodes = list(ast.walk(ast.parse(cell.source)))
            assert not any(
                isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda) for node in nodes
            )


# The notebook's client and kernel warn about sockets and event loops of their own.
@pytest.mark.filterwarnings("default")
def test_notebooks_run(path, notebook, tmp_path, monkeypatch):
    for variant in ("maima", "jipinghu"):
        synthetic.write_run(tmp_path / "demo" / variant, synthetic.load(variant), n_tables=4)
    (tmp_path / "notebooks").mkdir()
    monkeypatch.delenv("GDMJ_RUN", raising=False)  # the demo beside the notebooks' folder is what they open by default
    monkeypatch.setenv("GDMJ_TIPS_HANDS", "256")
    place = {"metadata": {"path": str(tmp_path / "notebooks")}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=place).execute()
    images = [o for cell in notebook.cells for o in cell.get("outputs", []) if "image/svg+xml" in o.get("data", {})]
    assert len(images) == CHARTS[path.stem]
