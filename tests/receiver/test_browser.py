# SPDX-License-Identifier: MIT
"""The page in a real browser: headless Chromium by its driver, both from Debian."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import shutil
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

import bankhook
import bankhook.inbox
from installed import missing, need_programs
from receiver.asked import CREATED
from receiver.browsing import SECONDS, click, complaints, patient, rows, said
from receiver.listening import Listening, listening, stored
from validators.outside import MODULES

AXE = """const done = arguments[0];
const short = one => [one.impact, one.id, one.nodes.map(node => node.html.slice(0, 200))];
axe.run(document).then(
  found => done({violations: found.violations.map(short), passes: found.passes.length}),
  error => done({violations: [String(error)], passes: 0}))"""

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[webdriver.Chrome, None, None]:
    """A browser as wide as a phone, that reaches this machine only."""
    need_programs("chromium", "chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    profile = tmp_path_factory.mktemp("chromium")
    for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=390,844", "no-proxy-server"):
        options.add_argument(f"--{argument}")
    options.add_argument(f"--user-data-dir={profile}")
    options.add_argument("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        yield chrome
    finally:
        chrome.quit()


@pytest.fixture
def server(tmp_path: Path, browser: webdriver.Chrome) -> Generator[Listening, None, None]:
    """A server, whose page is left before it ends: it would go on asking."""
    with listening(tmp_path / "inbox.db", "--quiet") as running:
        yield running
        browser.get("about:blank")
        complaints(browser)


def test_deliveries_appear_by_themselves_and_findings_stand_in_place(browser: webdriver.Chrome, server: Listening) -> None:
    wait = patient(browser)
    browser.get(server.root + "/")
    assert rows(browser) == []
    assert httpx.post(server.url, content=CREATED).status_code == 204
    wait.until(lambda chrome: len(rows(chrome)) == 1)
    broken = CREATED.replace(b'"status":"created"', b'"status":5')
    assert httpx.post(server.url, content=broken).status_code == 204
    wait.until(lambda chrome: len(rows(chrome)) == 2)
    assert "quarantined" in rows(browser)[0]
    click(browser, By.CSS_SELECTOR, "[data-row] time")  # the row is a link
    wait.until(lambda chrome: "found number" in said(chrome))
    assert said(browser, "mark") == "·"  # a value that is not shown
    assert complaints(browser) == []


def test_a_page_whose_server_has_ended_says_that_it_is_not_current(browser: webdriver.Chrome, server: Listening) -> None:
    browser.get(server.root + "/")
    lost = browser.find_element(By.CLASS_NAME, "lost")
    assert not lost.is_displayed()
    assert server.stop() == 0
    patient(browser).until(lambda _: lost.is_displayed())


def test_values_are_shown_by_a_click_and_hidden_by_another(browser: webdriver.Chrome, server: Listening) -> None:
    event = bankhook.parse(CREATED)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    store = str(event.initial_transaction.store_name)
    httpx.post(server.url, content=CREATED)
    wait = patient(browser)
    browser.get(server.root + "/delivery/1")
    assert store not in browser.page_source
    click(browser, By.ID, "toggle")
    wait.until(lambda chrome: store in chrome.page_source)
    click(browser, By.ID, "toggle")
    wait.until(lambda chrome: store not in chrome.page_source)
    assert complaints(browser) == []


def test_a_hostile_payload_runs_nothing_and_reaches_nobody(browser: webdriver.Chrome, server: Listening) -> None:
    text = "<img src=http://evil.example/x onerror=document.title='owned'><script>document.title='owned'</script>"
    httpx.post(server.url, content=CREATED.replace(b'"storeName":"', b'"storeName":"' + text.encode()))
    httpx.post(server.url, content=text.encode())
    for path in ("/?values=1", "/delivery/1?values=1", "/delivery/2?values=1", "/member/1?values=1", "/attention?values=1"):
        browser.get(server.root + path)
        assert browser.title.endswith(" - bankhook")
        assert browser.execute_script("return [...document.images].map(e => e.src)") == [f"{server.root}/static/mark.svg"]
        loaded = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
        assert {*loaded} == {f"{server.root}/static/{name}" for name in ("page.css", "page.js", "mark.svg")}
    assert complaints(browser) == []


def test_the_button_works_and_the_page_fits_a_phone(browser: webdriver.Chrome, server: Listening) -> None:
    httpx.post(server.url, content=b"{")
    wait = patient(browser)
    for path in ("/", "/delivery/1", "/attention"):
        browser.get(server.root + path)
        wide, window = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        assert wide <= window
    click(browser, By.XPATH, "//button[text()='Retry']")
    wait.until(
        lambda chrome: chrome.execute_script("return performance.getEntriesByType('navigation')[0].redirectCount") == 1
    )
    wait.until(lambda chrome: "it still has the same problem" in said(chrome))
    assert complaints(browser) == []


def test_the_tabs_of_a_delivery_show_its_bytes_and_headers(browser: webdriver.Chrome, server: Listening) -> None:
    httpx.post(server.url, content=CREATED, headers={"user-agent": "of a sender"})
    browser.get(server.root + "/delivery/1?values=1")
    assert ("InitialTransactionUpdate" in said(browser), '{"event":' in said(browser)) == (True, False)
    click(browser, By.XPATH, "//label[text()='As received']")
    assert ("InitialTransactionUpdate" in said(browser), CREATED.decode() in said(browser)) == (False, True)
    click(browser, By.XPATH, "//label[text()='Headers']")
    assert ("of a sender" in said(browser), '{"event":' in said(browser)) == (True, False)
    assert complaints(browser) == []


def test_a_phone_shows_all_of_a_delivery_without_scrolling_sideways(browser: webdriver.Chrome, server: Listening) -> None:
    event = bankhook.parse(CREATED)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    httpx.post(server.url, content=CREATED)
    browser.get(server.root + "/")
    (card,) = rows(browser)
    for text in ("pending", event.event, "created", event.customer.id, event.initial_transaction.id):
        assert text in card
    script = (
        "return [...document.querySelectorAll('tbody td')].every(cell => cell.getBoundingClientRect().right <= innerWidth)"
    )
    assert browser.execute_script(script)


def test_what_needs_a_person_is_counted_and_the_time_is_that_of_the_last_look(
    browser: webdriver.Chrome, server: Listening
) -> None:
    browser.get(server.root + "/")
    assert said(browser, "#count") == ""
    assert said(browser, ".live").startswith("live, as of ")
    httpx.post(server.url, content=b"{")
    patient(browser).until(lambda chrome: said(chrome, "#count") == "1")


def test_it_is_dark_where_the_system_is(browser: webdriver.Chrome, server: Listening) -> None:
    colours = []
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get(server.root + "/")
        colours.append(browser.execute_script("return getComputedStyle(document.querySelector('.mark')).color"))
    assert colours == ["rgb(28, 32, 36)", "rgb(230, 233, 237)"]


def test_each_part_of_the_page_is_accessible(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """By axe, on a phone, a tablet and a desktop, in both schemes: nothing that breaks a rule, not even a minor one."""
    axe = MODULES / "axe-core" / "axe.min.js"
    if not axe.exists():
        missing("what tests/validators/package.json lists")
    handlers = bankhook.Handlers()

    @handlers.on_validated
    def fails(event: bankhook.InitialTransactionUpdate) -> None:
        raise ValueError

    async def fill() -> None:
        bodies = [one.payload for one in bankhook.Sandbox(seed=3, members=20, faults=0.1).deliveries(200)]
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=5)
        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as inbox:
            await inbox.append([bankhook.inbox.examine(body, received=old) for body in bodies])
            await inbox.drain(handlers)
            await inbox.append([bankhook.inbox.examine(CREATED)])

    asyncio.run(fill())
    states = {one.state: one.number for one in stored(tmp_path / "inbox.db")}
    every = [f"/delivery/{number}?values={values}" for number in states.values() for values in (0, 1)]
    every += ["/", "/?q=nobody", "/?state=parked&at=100", "/attention", "/attention?done=dismiss&count=2", "/delivery/9999"]
    every += ["/dismiss?rule=payload_is_json_object", "/dismiss?state=parked", "/member/1", "/member/1?values=1"]
    with contextlib.ExitStack() as stack:
        full = stack.enter_context(listening(tmp_path / "inbox.db", "--quiet"))
        empty = stack.enter_context(listening(tmp_path / "empty.db", "--quiet"))
        waiting = stack.enter_context(listening(tmp_path / "waiting.db", "--quiet"))
        httpx.post(waiting.url, content=CREATED)
        addresses = [f"{full.root}{path}" for path in every] + [f"{empty.root}/", f"{waiting.root}/"]
        stack.callback(browser.get, "about:blank")
        for width, scheme in ((390, "light"), (800, "dark"), (1400, "light"), (1400, "dark")):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            for address in addresses:
                browser.get(address)
                browser.execute_script(axe.read_text(encoding="utf-8"))
                found = browser.execute_async_script(AXE)
                assert found["violations"] == [], (width, scheme, address)
                assert found["passes"] > 15
                assert browser.execute_script("return document.documentElement.scrollWidth") <= width, address
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    complaints(browser)


def test_keys_move_among_rows_and_deliveries_unless_they_are_typed_or_switched_off(
    browser: webdriver.Chrome, server: Listening
) -> None:
    for body in (CREATED, b"{", CREATED):
        httpx.post(server.url, content=body)
    wait = patient(browser)

    def press(*keys: str) -> None:
        ActionChains(browser).send_keys(*keys).perform()

    def focused() -> str:
        return browser.switch_to.active_element.text

    browser.get(server.root + "/")
    press("j")
    assert focused() == "3"
    press("j", "j", "j", "k")
    assert focused() == "2"
    press(Keys.ENTER)
    wait.until(lambda chrome: chrome.title == "Delivery 2 - bankhook")
    press("j")
    wait.until(lambda chrome: chrome.title == "Delivery 1 - bankhook")
    press("k")
    wait.until(lambda chrome: chrome.title == "Delivery 2 - bankhook")
    browser.get(server.root + "/")
    press("/", "j/k")
    field = browser.find_element(By.NAME, "q")
    assert field.get_attribute("value") == "j/k"
    click(browser, By.ID, "keys")
    press("j")
    assert focused() == ""  # the box has the focus still
    browser.get(server.root + "/")
    press("/", "j")
    assert browser.switch_to.active_element.tag_name == "body"
    click(browser, By.ID, "keys")
    assert complaints(browser) == []


def test_a_line_is_copied_by_its_button(browser: webdriver.Chrome, server: Listening) -> None:
    origin = {"origin": server.root, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", origin)
    browser.get(server.root + "/")
    first, second = browser.find_elements(By.CSS_SELECTOR, "[data-copy]")
    for button, starts in ((first, "http://127.0.0.1:"), (second, "bankhook send http://127.0.0.1:")):
        button.click()
        WebDriverWait(button, SECONDS).until(lambda clicked: clicked.text == "Copied")
        copied = browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        assert copied.startswith(starts)
    assert complaints(browser) == []


def test_buttons_have_a_gap_and_a_question_stands_before_many_are_dismissed(
    browser: webdriver.Chrome, server: Listening
) -> None:
    for _ in range(3):
        httpx.post(server.url, content=b"{")
    browser.get(server.root + "/attention")
    # In one call: the page may replace both between two.
    buttons = "const [retry, dismiss] = document.querySelectorAll('.letters .actions :is(button, a)'); dismiss.click();"
    gap = f"{buttons} return dismiss.getBoundingClientRect().left - retry.getBoundingClientRect().right"
    assert browser.execute_script(gap) >= 8
    wait = patient(browser)
    wait.until(lambda chrome: chrome.title == "Dismiss 3? - bankhook")
    assert httpx.get(server.root + "/?state=quarantined").text.count("<tr data-row>") == 3
    click(browser, By.XPATH, "//button[text()='Dismiss 3']")
    wait.until(lambda chrome: "3 are dismissed." in said(chrome))
    assert httpx.get(server.root + "/?state=dismissed").text.count("<tr data-row>") == 3
    assert complaints(browser) == []
