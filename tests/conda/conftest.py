"""The modules here import each other by bare names, as scripts do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
# These are run by another Python, which has what they import.
collect_ignore = ["archive.py", "channel.py", "standin.py"]
