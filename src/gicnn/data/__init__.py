"""Checked downloads, synthetic grids, rotated pictures and molecular graphs."""
