"""Opening, changing and closing notebooks; what is said of their cells is said as of any document."""

from __future__ import annotations

import logging

from lsprotocol import types

from graphwright_server.lsp.notebooks import changed_notebook, opened_notebook
from graphwright_server.lsp.session import Session

from . import diagnostics, refreshing

_PYTHON = [types.NotebookCellLanguage(language="python")]
OPTIONS = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=types.NotebookDocumentFilterNotebookType(notebook_type=kind), cells=_PYTHON
        )
        for kind in ("jupyter-notebook", "interactive")
    ]
)

_QUIET = 0.3

_log = logging.getLogger(__name__)


def did_open(session: Session, params: types.DidOpenNotebookDocumentParams) -> None:
    notebook = opened_notebook(params.notebook_document, params.cell_text_documents)
    session.put_notebook(notebook)
    diagnostics.schedule(session, notebook.uri)


def did_change(session: Session, params: types.DidChangeNotebookDocumentParams) -> None:
    uri = params.notebook_document.uri
    notebook = session.snapshot.notebooks.get(uri)
    if notebook is None:
        _log.warning("A change of a notebook that isn't open: %s", uri)
        return
    now = changed_notebook(notebook, params.notebook_document.version, params.change, session.client.encoding)
    session.put_notebook(now)
    here = {cell.uri for cell in now.cells}
    for cell in notebook.cells:
        if cell.uri not in here:
            diagnostics.withdraw(session, cell.uri)
    diagnostics.schedule(session, uri)
    diagnostics.ask_for_other_cells(session, uri, _edited(params))
    # What is shown beside the code of other cells may be another now; a client asks again for the edited one alone.
    session.soon("other cells", _QUIET, refreshing.ask)


def did_close(session: Session, params: types.DidCloseNotebookDocumentParams) -> None:
    notebook = session.snapshot.notebooks.get(params.notebook_document.uri)
    if notebook is None:
        return
    session.drop_notebook(notebook.uri)
    for cell in notebook.cells:
        diagnostics.withdraw(session, cell.uri)


def _edited(params: types.DidChangeNotebookDocumentParams) -> frozenset[str]:
    """The cells that the client asks about of itself, because it has changed them."""
    content = (params.change.cells.text_content if params.change.cells is not None else None) or ()
    return frozenset(part.document.uri for part in content)
