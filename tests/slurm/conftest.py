"""The modules here import each other by bare names, as scripts do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
