"""The record of a reproduction: what was claimed, what was measured."""
