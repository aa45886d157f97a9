"""Seeing where gradients flow, and what stops them."""

from tidegate.flow.report import Blocker, Flow, Report
from tidegate.flow.why import why

__all__ = ["Blocker", "Flow", "Report", "why"]
