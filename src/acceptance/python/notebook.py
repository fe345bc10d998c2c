"""Runs a notebook as Jupyter would, and looks at what its cells show."""

import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
assert len(cells) == 10, len(cells)
for cell in cells:
    assert cell.outputs, f"a cell that shows nothing:\n{cell.source}"
    assert not any(output.output_type == "error" for output in cell.outputs), cell.outputs
    assert not any(output.get("name") == "stderr" for output in cell.outputs), cell.outputs


def html(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("data", {}).get("text/html", "") for output in cell.outputs)


assert '<section class="dlbench">' in html(cells[1]), "an answer is drawn"
assert "tesla-v100" in html(cells[2]), "a data frame is drawn"
assert '<section class="dlbench">' in html(cells[5]), "a comparison is drawn"
assert "@" in cells[9].outputs[0].text and "dlbench-kb" in cells[9].outputs[0].text, "BibTeX with the knowledge base"
print(f"{sys.argv[1]}: {len(cells)} cells passed")
