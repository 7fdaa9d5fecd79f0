"""Tables in parquet files: whole or absent, and the same bytes for the same content."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from gicnn.files import write_atomically

__all__ = ["frame", "save_table"]


def frame(columns: Mapping[str, Any]) -> pd.DataFrame:
    """A table from columns: tensors of shape (n,), of shape (n, k) as lists, or sequences."""
    return pd.DataFrame({name: _column(values) for name, values in columns.items()})


def save_table(path: str | Path, *tables: pd.DataFrame) -> None:
    """Write tables of the same columns one below the other."""
    whole = pd.concat(tables, ignore_index=True)
    content = pa.Table.from_pandas(whole, preserve_index=False).replace_schema_metadata()
    with write_atomically(path) as temporary:
        pq.write_table(content, temporary)


def _column(values: Any) -> Any:  # noqa: ANN401
    if not hasattr(values, "detach"):  # no tensor; torch is not imported, since few tables need it
        return values
    array = values.detach().cpu().numpy()
    return array if array.ndim < 2 else list(array.reshape(len(array), -1))
