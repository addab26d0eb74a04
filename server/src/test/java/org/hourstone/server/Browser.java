package org.hourstone.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window. What a test waits for may take half a minute. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration POLLING = Duration.ofMillis(50);

  /** Warns of browsers that are newer than it. */
  private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

  private final ChromeDriver driver;

  Browser(int width, int height) {
    SELENIUM.setLevel(Level.SEVERE);
    Path program = DebianPackage.program("chromium", "/usr/bin/chromium");
    Path driverProgram = DebianPackage.program("chromium-driver", "/usr/bin/chromedriver");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program.toFile());
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox", // a build may run as root
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=" + width + "," + height);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(driverProgram.toFile())
                .usingAnyFreePort()
                .build(),
            options);
  }

  /** Reloads a page, also if only what is behind the number sign differs. */
  void open(String url) {
    driver.get("about:blank");
    driver.get(url);
  }

  String url() {
    return String.valueOf(driver.getCurrentUrl());
  }

  /** The first element, waited for until it is visible. */
  WebElement element(String selector) {
    return element(selector, text -> true);
  }

  /** A button, waited for until it is visible. */
  WebElement button(String text) {
    return element("button", text::equals);
  }

  /** The first element whose text is as asked, waited for until it is visible. */
  WebElement element(String selector, Predicate<String> text) {
    WebElement[] found = new WebElement[1];
    await(
        selector,
        () -> {
          for (WebElement each : elements(selector)) {
            if (each.isDisplayed() && text.test(each.getText())) {
              found[0] = each;
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  /** Clicks on the first visible element, also if the page is just replacing it. */
  void click(String selector) {
    await(
        selector,
        () -> {
          for (WebElement each : elements(selector)) {
            if (each.isDisplayed()) {
              each.click();
              return true;
            }
          }
          return false;
        });
  }

  /** Those of this moment. */
  List<WebElement> elements(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  /** The text of the first element; empty if no element matches, as while a view is drawn. */
  String text(String css) {
    return texts(css).stream().findFirst().orElse("");
  }

  /** The visible texts of elements, all of one moment: the page may replace them right after. */
  List<String> texts(String selector) {
    Object texts =
        driver.executeScript(
            "return [...document.querySelectorAll(arguments[0])]"
                + ".map(each => each.checkVisibility() ? each.innerText : '')"
                + ".map(text => text.trim().replace(/\\n+/g, '\\n'))",
            selector);
    return ((List<?>) Objects.requireNonNull(texts)).stream().map(String::valueOf).toList();
  }

  Actions actions() {
    return new Actions(driver);
  }

  Object script(String text) {
    return Objects.requireNonNull(driver.executeScript(text));
  }

  /**
   * @param what is waited for
   */
  void await(String what, BooleanSupplier condition) {
    new WebDriverWait(driver, PATIENCE)
        .pollingEvery(POLLING)
        .ignoring(StaleElementReferenceException.class)
        .withMessage(what)
        .until(any -> condition.getAsBoolean());
  }

  /** A screen of another size, and colours of the system. */
  void look(int width, int height, String colours) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
  }

  /** The time zone of the system, such as America/Los_Angeles; empty for the real one. */
  void zone(String zone) {
    driver.executeCdpCommand("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
  }

  /** The page as a PNG. */
  byte[] picture() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  /** The warnings of the browser since the last call: scripts' errors, refused content. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }
}
