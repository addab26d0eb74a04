package org.hourstone.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.server.ServedPage.RANGE;

import java.io.IOException;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values, days and names on the web page and in its files, in a real browser. */
class PageValuesInBrowserTest extends PageCase {
  private static final String BY_HOST = RANGE + "&m=sum:half{host=*}";

  @Override
  Served serve() throws IOException {
    Served served =
        Served.start(
            TsdbOptions.defaults()
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .with(Settings.ALLOW_SPECIALCHARS, "\"' <>+"));
    for (int minute = 0; minute < 60; minute++) {
      Instant time = START.plusSeconds(60L * minute);
      if (minute < 30) {
        served.db().put("half", time, 1, Tags.of("host", "a"));
      }
      served.db().put("half", time, 2, Tags.of("host", "b"));
      served.db().put("half", time, 3, Tags.of("host", "c"));
    }
    served.db().put("exact", START, 9007199254740993L, Tags.of("host", "a"));
    served.db().put("exact", START.plusSeconds(60), -9223372036854775807L, Tags.of("host", "a"));
    served.db().put("exact", START.plusSeconds(120), 41.0, Tags.of("host", "a"));
    served.db().put("exact", START.plusSeconds(180), 0.1, Tags.of("host", "a"));
    served.db().put("exact", START.plusSeconds(240), 1234567, Tags.of("host", "a"));
    served.db().put("days", Instant.parse("2024-01-02T07:00:00Z"), 1, Tags.of("host", "a"));
    served.db().put("days", Instant.parse("2024-01-02T09:00:00Z"), 2, Tags.of("host", "a"));
    served.db().put("od\"d 'name' é", START, 8, Tags.of("host", "it's <b> 1+"));
    return served;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  @Test
  void pointsAreSavedWithTheDigitsOfTheResponse() {
    page.open(RANGE + "&m=none:exact&exp=scale(none:exact,1)&formula=a * 1");
    page.awaitLegend(
        "exact {host=a} – a 1,234,567",
        "exact {host=a} – scale(none:exact,1) 1,234,567",
        "a * 1 {host=a} 1,234,567");
    page.catchFiles();
    browser.button("CSV").click();
    browser.await("the file", () -> page.files().size() == 1);

    List<String> lines =
        page.files().get(0).lines().map(line -> line.replace("2024-01-01T00:0", "")).toList();
    assertThat(lines)
        .containsOnlyOnce("a * 1,2:00.000Z,41.0,host=a", "a * 1,4:00.000Z,1234567.0,host=a")
        .contains(
            "exact,0:00.000Z,9007199254740993,host=a",
            "exact,1:00.000Z,-9223372036854775807,host=a",
            "exact,2:00.000Z,41.0,host=a",
            "exact,3:00.000Z,0.1,host=a",
            "exact,4:00.000Z,1234567,host=a")
        .doesNotContain("exact,2:00.000Z,41,host=a")
        .noneMatch(line -> line.contains("9007199254740992,"))
        .hasSize(16);
  }

  /** A number that looks whole is whole. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "value(1234567) | 1,234,567",
        "value(999999999) | 999,999,999",
        "value(1234567.8) | 1,234,568",
        "value(12.3456789) | 12.3457",
        "value(9007199254740993) | 9.0072e+15",
        "inUnit(1234567, 'percent') | 1,234,567 %",
        "inUnit(12345.67, 'ratio') | 1,234,567 %",
        "inUnit(2 ** 50 * 12345, 'bytes') | 12,345 PB",
        "axis(20000, 5000) | 20K",
        "axis(1234568, 2) | 1.234568M",
        "axis(9999.126, 0.002) | 9,999.126",
        "axis(0.50001, 0.00001) | 5.0001e-1",
        "axis(0.00002, 0.00001) | 2e-5",
        "axis(-2e18, 2e18) | -2e+18",
        "axis(9007199254740992, 2) | 9.007199254740992e+15",
        "axis(0, 0.00001) | 0",
        "axis(0, 5) | 0",
      })
  void numbersAreNotRoundedToOthers(String call, String text) {
    page.open("");

    assertThat(
            browser.script("return import('./s/format.js').then((format) => format." + call + ")"))
        .isEqualTo(text);
  }

  @Test
  void theButtonSaysForWhatAFileIs() {
    page.open(BY_HOST);
    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
    assertThat(page.named("csv").getDomAttribute("title")).endsWith("in the form of import --csv");

    page.open(BY_HOST + "&o=hidden&formula=a * 2");
    page.awaitLegend("host=a 2", "host=b 4", "host=c 6");
    assertThat(page.named("csv").getDomAttribute("title"))
        .contains("for other programs", "import --csv refuses");
  }

  /** The third hour of the second in UTC is the evening of the first in Los Angeles. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "&exp=scale(sum:1dc-sum:days,1)",
        "&m=sum:1dc-sum:days",
        "&m=sum:1dc-sum:days&o=hidden&formula=a * 1",
        "&m=sum:1h-sum:days&o=hidden&exp=scale(sum:1dc-sum:days,1)",
        "&m=sum:1dc-sum:days&o=hidden&exp=scale(sum:1dc-sum:days,1)",
      })
  void calendarDaysAreThoseOfThePage(String rows) {
    String range = "#start=1704067200000&end=1704326400000";
    browser.zone("America/Los_Angeles");
    try {
      page.open(range + rows);
      browser.await("a day in America", () -> browser.texts(".legend .value").equals(List.of("2")));
      page.open(range + "&tz=UTC" + rows);
      browser.await("a day in UTC", () -> browser.texts(".legend .value").equals(List.of("3")));
    } finally {
      browser.zone("");
    }
  }

  @Test
  void aFormulaInARangeWithoutPointsSaysSo() {
    page.open("#start=2020/01/01&end=2020/01/02&tz=UTC&m=sum:half&formula=a / 2");

    browser.await(
        "no points", () -> browser.texts(".problem strong").contains("No points in this range."));
    assertThat(browser.text(".hint")).startsWith("Formula a / 2 has no values: ");
    assertThat(browser.elements(".failure")).isEmpty();
  }

  @Test
  void namesOfAnyCharactersArePlottedInFormulasAndSaved() {
    String metric = "od\"d 'name' é";
    page.open(
        RANGE
            + "&m="
            + encoded("sum:" + metric + "{host=*}")
            + "&o=hidden&formula=a * 2&m="
            + encoded("sum:" + metric + "{host=literal_or(it's <b> 1+)}"));

    page.awaitLegend(metric + " {host=it's <b> 1+} 8", "a * 2 {host=it's <b> 1+} 16");
    page.row(metric + " {host=it's <b> 1+}").click();
    assertThat(page.hidden()).containsExactly("a * 2 {host=it's <b> 1+}");
    page.reopensTheSame();
    page.catchFiles();
    browser.button("CSV").click();
    browser.await("the file", () -> page.files().size() == 1);
    assertThat(page.files().get(0))
        .contains("\"od\"\"d 'name' é\",2024-01-01T00:00:00.000Z,8,host=it's <b> 1+\n");
  }

  @Test
  void fiftyQueriesAndAFormulaOverTheLastAreKeptByTheLink() {
    String queries =
        IntStream.range(0, 50)
            .mapToObj(i -> "&m=sum:%dm-max:half{host=b|c}".formatted(i + 1))
            .collect(Collectors.joining());
    browser.look(360, 740, "dark");
    page.open(RANGE + queries + "&formula=x1 * 2");
    browser.await("all series", () -> browser.text(".outcome").startsWith("102 series"));

    assertThat(browser.texts(".letter")).hasSize(50).startsWith("a", "b").endsWith("w1", "x1");
    assertThat(page.legend()).contains("half {host=c} – x1 3", "x1 * 2 {host=c} 6");
    assertThat(browser.script("return document.documentElement.scrollWidth")).isEqualTo(360L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "#start=2024/01/01-00:00:00&end=2024/01/01-01:00:00&tz=UTC&m=sum:half%7Bhost=*%7D&o="
            + "&yrange=%5B0:%5D&key=out%20right%20top&wxh=1200x600&style=linespoint",
        "#start=1704067200.000&end=1704070800000ms&m=sum:half{host=*}",
        "#start=1704067200&end=1704070800&m=sum:half{host=*}&o=axis+x1y2",
      })
  void linksOfOtherFormsShowTheSame(String link) {
    page.open(link);

    page.awaitLegend("host=a 1", "host=b 2", "host=c 3");
  }
}
