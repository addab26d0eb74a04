package org.hourstone.junit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hourstone.junit.ExpectedPoint.at;
import static org.hourstone.junit.SeriesAssert.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import org.hourstone.Tsdb;
import org.hourstone.uid.NoSuchNameException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opentest4j.AssertionFailedError;

class SeriesAssertTest {
  private static final Instant TIME = Instant.parse("2023-11-14T22:13:20Z");

  @RegisterExtension
  static final HourstoneExtension HOURSTONE =
      new HourstoneExtension()
          .withLines(
              "cpu 1700000000 1 host=a",
              "cpu 1700000060 2.5 host=a",
              "cpu 1700000120 3 host=a",
              "cpu 1700000000 9007199254740993 host=b");

  private final Tsdb db = HOURSTONE.db();

  private ResultAssert result() {
    return assertThat(db).query("sum:cpu{host=*}", TIME, TIME.plusSeconds(3600));
  }

  private PointsAssert ofA() {
    return result().hasSeries(Map.of("host", "a"));
  }

  @Test
  void whatIsExpectedPasses() {
    ofA()
        .withPoints(at(TIME, 1.0), at("2023-11-14T22:14:20Z", 2.5f), at(TIME.plusSeconds(120), 3))
        .withPoints(Map.of(TIME, 1, TIME.plusSeconds(60), 2.5, TIME.plusSeconds(120), 3L))
        .withValues(1, 2.5, 3)
        .within(0.1)
        .withValues(1.1, 2.5, 2.9)
        .withPointCount(3)
        .and()
        .hasSeries(Map.of("host", "b"))
        .withValues(9007199254740993L)
        .and()
        .hasSeriesCount(2);
    assertThat(db).query("sum:cpu", TIME.plusSeconds(900), TIME.plusSeconds(901)).isEmpty();
  }

  /** Any number is compared as it is, whatever its class. */
  @Test
  void numbersOfOtherClassesKeepTheirFractions() {
    DoubleAdder sum = new DoubleAdder();
    sum.add(2.75);
    assertThatThrownBy(() -> ofA().withValues(new AtomicInteger(1), sum, 3))
        .hasMessageContaining("2.75")
        .hasMessageContaining("1 point differs");
    sum.add(-0.25);
    ofA().withValues(new AtomicLong(1), sum, (short) 3);
  }

  @Test
  void pointsThatDifferAreShownSideBySide() {
    assertThatThrownBy(
            () ->
                ofA()
                    .withPoints(
                        at(TIME, 1), at(TIME.plusSeconds(60), 2), at(TIME.plusSeconds(90), 7)))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessage(
            """
            sum:cpu{host=*} {host=a}: 3 points differ
              time                  expected  actual
              2023-11-14T22:13:20Z         1       1
              2023-11-14T22:14:20Z         2     2.5  differs
              2023-11-14T22:14:50Z         7       -  missing
              2023-11-14T22:15:20Z         -       3  unexpected\
            """
                .strip());
  }

  @Test
  void valuesThatDifferAreShownWithTheirTimes() {
    assertThatThrownBy(() -> ofA().within(0.25).withValues(1.25, 2, 3, Double.NaN))
        .hasMessage(
            """
            sum:cpu{host=*} {host=a}: 2 points differ by more than 0.25
              time                  expected  actual
              2023-11-14T22:13:20Z      1.25       1
              2023-11-14T22:14:20Z         2     2.5  differs
              2023-11-14T22:15:20Z         3       3
              -                          NaN       -  missing\
            """
                .strip());
  }

  @Test
  void integersAreComparedExactly() {
    assertThatThrownBy(() -> result().hasSeries(Map.of("host", "b")).withValues(9007199254740992L))
        .hasMessageContaining("9007199254740993  differs");
  }

  @Test
  void longStretchesOfEqualPointsAreLeftOut() {
    Map<Instant, Integer> expected = new TreeMap<>();
    for (int i = 0; i < 1000; i++) {
      db.put("many", TIME.plusSeconds(i), i, org.hourstone.Tags.of("host", "a"));
      expected.put(TIME.plusSeconds(i), i == 500 ? -1 : i);
    }

    assertThatThrownBy(
            () ->
                assertThat(db)
                    .query("sum:many", TIME, TIME.plusSeconds(1000))
                    .hasOneSeries()
                    .withPoints(expected))
        .hasMessage(
            """
            sum:many {host=a}: 1 point differs
              time                  expected  actual
              … 498 equal
              2023-11-14T22:21:38Z       498     498
              2023-11-14T22:21:39Z       499     499
              2023-11-14T22:21:40Z        -1     500  differs
              2023-11-14T22:21:41Z       501     501
              2023-11-14T22:21:42Z       502     502
              … 497 equal\
            """
                .strip());
  }

  @Test
  void manyDifferencesAreCut() {
    assertThatThrownBy(
            () -> ofA().withValues(java.util.Collections.nCopies(100, 0).toArray(new Number[0])))
        .hasMessageEndingWith("\n  … 40 more")
        .satisfies(
            e ->
                org.assertj.core.api.Assertions.assertThat(
                        String.valueOf(e.getMessage()).lines().count())
                    .isEqualTo(63));
  }

  @Test
  void aSeriesThatIsMissingIsNotFoundAmongTheOthers() {
    assertThatThrownBy(() -> result().hasSeries(Map.of("host", "c")))
        .hasMessage(
            """
            sum:cpu{host=*}: no series {host=c}; there are 2:
              cpu {host=a}, 3 points
              cpu {host=b}, 1 point\
            """
                .strip());
    assertThatThrownBy(() -> result().isEmpty())
        .hasMessageStartingWith("sum:cpu{host=*}: expected 0 series, and there are 2:\n  cpu");
    assertThatThrownBy(() -> ofA().withPointCount(4))
        .hasMessage("sum:cpu{host=*} {host=a}: expected 4 points, and there are 3");
  }

  @Test
  void anUnknownNameIsNotAnEmptyResult() {
    assertThatThrownBy(() -> assertThat(db).query("sum:cpi", TIME, TIME.plusSeconds(1)))
        .isInstanceOf(NoSuchNameException.class)
        .hasMessageContaining("cpi");
  }

  @Test
  void aTimeIsExpectedOnce() {
    assertThatThrownBy(() -> ofA().withPoints(at(TIME, 1), at(TIME, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two points are expected at 2023-11-14T22:13:20Z");
  }

  @Test
  void toolsGetBothTexts() {
    assertThatCode(() -> ofA().withValues(1, 2, 3))
        .isInstanceOfSatisfying(
            AssertionFailedError.class,
            e ->
                org.assertj.core.api.Assertions.assertThat(
                        e.getExpected().getStringRepresentation())
                    .startsWith("2023-11-14T22:13:20Z 1\n"));
  }
}
