# SPDX-License-Identifier: MIT
"""What tests ask of a page in a browser, while the page may replace its parts at any time."""

from __future__ import annotations

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.support.wait import WebDriverWait

__all__ = ["SECONDS", "click", "complaints", "patient", "rows", "said"]

SECONDS = 240
"""How long a test waits for the page, on a machine that has much to do."""


def rows(browser: webdriver.Chrome) -> list[str]:
    """The rows of the first table as text."""
    found: list[str] = browser.execute_script("return [...document.querySelectorAll('tbody tr')].map(row => row.innerText)")
    return found


def patient(browser: webdriver.Chrome) -> WebDriverWait[webdriver.Chrome]:
    """Waits, also while the page replaces what was found a moment before."""
    return WebDriverWait(browser, SECONDS, ignored_exceptions=[StaleElementReferenceException])


def said(browser: webdriver.Chrome, selector: str = "main") -> str:
    """The text of an element, in one call: between two the page may replace it."""
    text: str = browser.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
    return text


def click(browser: webdriver.Chrome, by: str, value: str) -> None:
    def clicked(chrome: webdriver.Chrome) -> bool:
        chrome.find_element(by, value).click()
        return True

    patient(browser).until(clicked)


def complaints(browser: webdriver.Chrome) -> list[str]:
    """What the browser's console says, violations of the policy included."""
    return [entry["message"] for entry in browser.get_log("browser")]  # type: ignore[no-untyped-call]  # selenium's
