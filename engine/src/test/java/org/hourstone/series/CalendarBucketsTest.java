package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarBucketsTest {
  private static Buckets buckets(String interval, String zone) {
    return buckets(interval, zone, Durations.HOURSTONE);
  }

  private static Buckets buckets(String interval, String zone, Durations durations) {
    return Buckets.of(Downsample.parse(interval + "-sum", durations).withZone(ZoneId.of(zone)));
  }

  /** The starts of the buckets of some local times, as local times. */
  private static String starts(String interval, String zone, String times) {
    return starts(buckets(interval, zone), ZoneId.of(zone), times);
  }

  private static String starts(Buckets buckets, ZoneId id, String times) {
    return Stream.of(times.split(" "))
        .map(
            time -> {
              long millis = LocalDateTime.parse(time).atZone(id).toInstant().toEpochMilli();
              buckets.moveTo(millis);
              assertThat(millis).isBetween(buckets.start(), buckets.end() - 1);
              return Instant.ofEpochMilli(buckets.start()).atZone(id).toLocalDateTime().toString();
            })
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "250msc, 2018-03-10T12:34:56.789, 2018-03-10T12:34:56.750",
    "15sc, 2018-03-10T12:34:56, 2018-03-10T12:34:45",
    "20mc, 2018-03-10T12:34:56, 2018-03-10T12:20",
    "90mc, 2018-03-10T04:34:56, 2018-03-10T04:30",
    "6hc, 2018-03-10T13:34:56, 2018-03-10T12:00",
    "5hc, 2018-03-10T19:34:56, 2018-03-10T15:00",
    "5hc, 2018-03-10T23:34:56, 2018-03-10T20:00",
    "5hc, 2018-03-11T00:34:56, 2018-03-11T00:00",
    "7mc, 2018-03-10T00:20:56, 2018-03-10T00:14",
    "7mc, 2018-03-10T23:59:56, 2018-03-10T23:55",
  })
  void intervalsOfLessThanADayAreCountedFromTheStartOfTheDay(
      String interval, String time, String start) {
    assertThat(starts(interval, "UTC", time)).isEqualTo(start);
  }

  @ParameterizedTest
  @CsvSource({
    "1dc, 1, 2018-03-10T13:34:56, 2018-03-10T00:00",
    "24hc, 1, 2018-03-10T13:34:56, 2018-03-10T00:00",
    "1440mc, 1, 2018-03-10T13:34:56, 2018-03-10T00:00",
    "7dc, 7, 2018-01-03T13:34:56, 2017-12-28T00:00",
    "7dc, 7, 2018-01-04T00:00:00, 2018-01-04T00:00",
    "2dc, 2, 1970-01-02T13:34:56, 1970-01-01T00:00",
    "2dc, 2, 1970-01-03T13:34:56, 1970-01-03T00:00",
    "1wc, 7, 2018-03-10T13:34:56, 2018-03-04T00:00",
    "1wc, 7, 2018-03-11T00:00:00, 2018-03-11T00:00",
    "1wc, 7, 1970-01-02T00:00:00, 1969-12-28T00:00",
    "2wc, 14, 1970-01-10T13:34:56, 1970-01-04T00:00",
    "2wc, 14, 1970-01-18T13:34:56, 1970-01-18T00:00",
    "1nc, 31, 2018-03-10T13:34:56, 2018-03-01T00:00",
    "3nc, 91, 2018-04-10T13:34:56, 2018-04-01T00:00",
    "5nc, 153, 1970-08-10T13:34:56, 1970-06-01T00:00",
    "1yc, 365, 2018-08-10T13:34:56, 2018-01-01T00:00",
    "3yc, 1096, 1978-08-10T13:34:56, 1976-01-01T00:00",
  })
  void longerOnesAreCountedFrom1970(String interval, long days, String time, String start) {
    assertThat(starts(interval, "UTC", time)).isEqualTo(start);
    Buckets buckets = buckets(interval, "UTC");
    buckets.moveTo(LocalDateTime.parse(time).toInstant(ZoneOffset.UTC).toEpochMilli());
    assertThat(buckets.end() - buckets.start()).isEqualTo(days * 86_400_000);
  }

  @Test
  void anIntervalThatIsNoWholeDaysIsCountedByTheClockOfTheZone() {
    String zone = "America/New_York"; // forward from 2:00 to 3:00 on 11 March 2018
    assertThat(starts("36hc", zone, "1970-01-01T07:00 1970-01-02T11:00 1970-01-02T12:00"))
        .isEqualTo("1970-01-01T00:00 1970-01-01T00:00 1970-01-02T12:00");
    String hours =
        starts("36hc", zone, "2018-03-11T12:30 2018-03-13T12:30").replaceAll("\\S+T", "");
    assertThat(hours).matches("(00:00|12:00) (00:00|12:00)");
  }

  /** What makes values independent of the range and of other series. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1dc",
        "2dc",
        "7dc",
        "10dc",
        "1wc",
        "2wc",
        "1nc",
        "5nc",
        "1yc",
        "2yc",
        "1hc",
        "5hc",
        "6hc",
        "36hc",
        "24hc",
        "7mc",
        "90mc",
        "1440mc",
        "90000sc",
        "86400000msc"
      })
  void bucketsFollowEachOtherAndDoNotDependOnTheFirst(String interval) {
    Random random = new Random(5);
    for (String zone :
        List.of(
            "UTC",
            "America/Los_Angeles",
            "Asia/Kolkata",
            "Asia/Kathmandu",
            "Australia/Lord_Howe",
            "Pacific/Apia",
            "America/Havana",
            "America/Sao_Paulo",
            "America/St_Johns",
            "Africa/Cairo",
            "Europe/London")) {
      for (int i = 0; i < 100; i++) {
        long time = Math.floorMod(random.nextLong(), 4_102_444_800_000L);
        Buckets buckets = buckets(interval, zone);
        buckets.moveTo(time);
        for (int next = 0; next < 20; next++) {
          long start = buckets.start();
          long end = buckets.end();
          assertThat(start).isLessThan(end);
          for (long inside :
              new long[] {start, end - 1, start + Math.floorMod(random.nextLong(), end - start)}) {
            if (inside >= 0) {
              Buckets own = buckets(interval, zone);
              own.moveTo(inside);
              assertThat(own.start())
                  .describedAs("%s %s %d", interval, zone, inside)
                  .isEqualTo(start);
              assertThat(own.end()).isEqualTo(end);
            }
          }
          buckets.moveTo(end);
          assertThat(buckets.start()).isEqualTo(end);
        }
      }
    }
  }

  @Test
  void aMonthIsAsLongAsItIs() {
    assertThat(starts("1nc", "UTC", "2016-01-31T12:00 2016-02-29T12:00 2016-05-01T00:00"))
        .isEqualTo("2016-01-01T00:00 2016-02-01T00:00 2016-05-01T00:00");
  }

  @Test
  void inStrictModeBucketsAreCountedFromTheFirstOne() {
    ZoneId utc = ZoneId.of("UTC");
    assertThat(
            starts(
                buckets("7dc", "UTC", Durations.OPENTSDB),
                utc,
                "2013-12-25T00:00 2014-01-02T00:00"))
        .isEqualTo("2013-12-24T00:00 2013-12-31T00:00");
    assertThat(starts(buckets("7dc", "UTC", Durations.OPENTSDB), utc, "2014-01-02T00:00"))
        .isEqualTo("2014-01-01T00:00");
  }

  @Test
  void recordedBucketsAreMet() {
    long first = 1_356_998_400_000L; // 2013-01-01
    assertThat(recorded("1nc", "UTC", first)).isEqualTo("1356998400000 1359676800000");
    assertThat(recorded("1wc", "UTC", first)).startsWith("1356825600000");
    assertThat(recorded("7dc", "UTC", first))
        .isEqualTo("1356998400000 1357603200000 1360022400000");
    assertThat(recorded("1dc", "America/New_York", first)).startsWith("1356930000000");
  }

  /** The buckets of an instant, and of ten and forty days later. */
  private static String recorded(String interval, String zone, long millis) {
    Buckets buckets = buckets(interval, zone, Durations.OPENTSDB);
    long day = 86_400_000;
    return Stream.of(millis, millis + 10 * day, millis + 40 * day)
        .map(
            time -> {
              buckets.moveTo(time);
              return "" + buckets.start();
            })
        .distinct()
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest
  @CsvSource({
    // Clocks go forward in New York, back in Berlin: the day has 23 hours, or 25.
    "1dc, America/New_York, 2018-03-11T12:00, 23",
    "1dc, Europe/Berlin, 2018-10-28T12:00, 25",
    "1wc, America/New_York, 2018-03-12T12:00, 167",
    "1nc, America/New_York, 2018-03-12T12:00, 743",
    // In Samoa there was no 30 December 2011: the days around it meet, the month lacks a day.
    "1dc, Pacific/Apia, 2011-12-29T12:00, 24",
    "1dc, Pacific/Apia, 2011-12-31T12:00, 24",
    "2dc, Pacific/Apia, 2011-12-29T12:00, 48",
    "2dc, Pacific/Apia, 2011-12-31T12:00, 24",
    "1nc, Pacific/Apia, 2011-12-31T12:00, 720",
    "6hc, America/New_York, 2018-03-11T12:00, 6",
  })
  void daysAreAsLongAsTheZoneMakesThem(String interval, String zone, String time, long hours) {
    Buckets buckets = buckets(interval, zone);
    buckets.moveTo(LocalDateTime.parse(time).atZone(ZoneId.of(zone)).toInstant().toEpochMilli());
    assertThat(buckets.end() - buckets.start()).isEqualTo(hours * 3_600_000);
  }

  @Test
  void theClocksOfLordHoweChangeByHalfAnHour() {
    String zone = "Australia/Lord_Howe"; // back from 2:00 to 1:30 on 1 April 2018
    assertThat(starts("1dc", zone, "2018-04-01T12:00 2018-04-02T12:00"))
        .isEqualTo("2018-04-01T00:00 2018-04-02T00:00");
    assertThat(starts("1hc", zone, "2018-04-01T00:30 2018-04-01T12:00"))
        .isEqualTo("2018-04-01T00:00 2018-04-01T11:30");
    assertThat(starts("1hc", zone, "2018-04-01T12:10 2018-04-01T23:50 2018-04-02T00:10"))
        .isEqualTo("2018-04-01T11:30 2018-04-01T23:30 2018-04-02T00:00");
  }

  @Test
  void hoursAreCountedFromTheStartOfADayWhereClocksChange() {
    String zone = "America/New_York"; // forward from 2:00 to 3:00 on 11 March 2018
    assertThat(starts("6hc", zone, "2018-03-10T23:00 2018-03-11T12:00 2018-03-12T12:00"))
        .isEqualTo("2018-03-10T18:00 2018-03-11T07:00 2018-03-12T12:00");
    assertThat(starts("6hc", zone, "2018-03-12T12:00")).isEqualTo("2018-03-12T12:00");
  }

  /** Clocks went back at 0:01, to 23:01 of the day before: the day that had begun goes on. */
  @Test
  void aDayDoesNotEndWhereItsFirstMinuteIsFollowedByTheDayBefore() {
    Buckets buckets = buckets("1dc", "America/St_Johns");
    buckets.moveTo(Instant.parse("2006-10-29T02:45:00Z").toEpochMilli()); // 23:15 once more
    assertThat(Instant.ofEpochMilli(buckets.start())).isEqualTo("2006-10-29T02:30:00Z");
    assertThat(Instant.ofEpochMilli(buckets.end())).isEqualTo("2006-10-30T03:30:00Z");
  }

  @Test
  void aDayThatBeginsLaterThanMidnightBeginsThen() {
    String zone = "America/Sao_Paulo"; // 15 October 2017 began at 1:00
    assertThat(starts("1dc", zone, "2017-10-14T12:00 2017-10-15T12:00"))
        .isEqualTo("2017-10-14T00:00 2017-10-15T01:00");
  }

  /** Each zone had a day whose midnight was skipped: the time is on it. */
  @ParameterizedTest
  @CsvSource({
    "Africa/Cairo, 2024-04-26T08:00, 1nc, 2024-04-01T00:00, 2024-05-01T00:00",
    "Africa/Cairo, 2024-04-26T08:00, 1wc, 2024-04-21T00:00, 2024-04-28T00:00",
    "America/Sao_Paulo, 2017-10-15T08:00, 1yc, 2017-01-01T00:00, 2018-01-01T00:00",
    "America/Sao_Paulo, 2017-10-15T08:00, 1wc, 2017-10-15T01:00, 2017-10-22T00:00",
    "America/Santiago, 2019-09-08T08:00, 3dc, 2019-09-08T01:00, 2019-09-11T00:00",
    "Asia/Beirut, 2018-03-25T08:00, 2nc, 2018-03-01T00:00, 2018-05-01T00:00",
    "America/Havana, 2018-03-11T08:00, 1dc, 2018-03-11T01:00, 2018-03-12T00:00",
    "America/Havana, 2018-03-11T08:00, 7hc, 2018-03-11T08:00, 2018-03-11T15:00",
  })
  void aDayWithoutMidnightDoesNotMoveOtherBuckets(
      String zone, String time, String interval, String start, String next) {
    assertThat(starts(interval, zone, time + " " + next)).isEqualTo(start + " " + next);
  }

  /** Clocks went back to midnight at 1:00 on 4 November 2018: the first midnight begins the day. */
  @Test
  void aDayWithTwoMidnightsBeginsAtTheFirst() {
    Buckets buckets = buckets("1dc", "America/Havana");
    buckets.moveTo(Instant.parse("2018-11-04T17:00:00Z").toEpochMilli());
    assertThat(Instant.ofEpochMilli(buckets.start())).isEqualTo("2018-11-04T04:00:00Z");
  }

  @Test
  void inStrictModeLaterDaysBeginAtTheHourOfTheOneBefore() {
    String zone = "America/Sao_Paulo";
    Buckets strict = buckets("1dc", zone, Durations.OPENTSDB);
    assertThat(
            starts(strict, ZoneId.of(zone), "2017-10-14T12:00 2017-10-15T12:00 2017-10-16T12:00"))
        .isEqualTo("2017-10-14T00:00 2017-10-15T01:00 2017-10-16T01:00");
    assertThat(
            starts(buckets("1nc", zone, Durations.OPENTSDB), ZoneId.of(zone), "2017-10-15T12:00"))
        .isEqualTo("2017-10-01T00:00");
  }

  @Test
  void anIntervalLongerThanTimeHasAnEnd() {
    Buckets buckets = buckets("290000000yc", "UTC");
    buckets.moveTo(1_520_640_000_000L);
    assertThat(buckets.end()).isGreaterThan(1_520_640_000_000L);
  }
}
