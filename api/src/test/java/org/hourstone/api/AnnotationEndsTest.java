package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An annotation ends when it starts, or later. */
class AnnotationEndsTest extends RequestCase {
  private static final String NOTE = "{'startTime':%s,'endTime':%s,'notes':'n'}";

  @ParameterizedTest
  @CsvSource({
    "1500001300, 1500001299, 400",
    "1500001300, 1500001300, 200",
    "1500001300, 1500001299999, 400",
    "1500001300, 1500001300000, 200",
    "1500001300500, 1500001300, 400",
    "1500001300500, 1500001301, 200",
    "1500001300, -1, 400",
    "1500001300, 1, 400",
    "1500001300, 0, 200",
    "1500001300, null, 200",
  })
  void anEndBeforeTheStartIsRefused(String start, String end, int status) {
    String note = NOTE.formatted(start, end);
    for (String method : new String[] {"POST", "PUT"}) {
      String single = respond(method, "/api/annotation", note);
      String bulk = respond(method, "/api/annotation/bulk", "[" + note + "]");
      assertThat(single).startsWith(status + " ");
      assertThat(bulk).startsWith(status + " ");
      if (status == 400) {
        assertThat(single).contains("endTime: " + end + " is before the startTime " + start);
        assertThat(bulk).contains("[0]: endTime: " + end + " is before the startTime " + start);
      }
      if (status == 400 && !end.startsWith("-")) {
        String uri = "/api/annotation?notes=n&start_time=" + start + "&end_time=" + end;
        assertThat(respond(method, uri, "")).startsWith("400 ").contains("is before the startTime");
      }
    }
    assertThat(respond("GET", "/api/annotation?start_time=" + start, ""))
        .startsWith(status == 400 ? "404 " : "200 ");
  }

  @Test
  void oneOfSeveralIsRefusedForItself() {
    String notes = "[" + NOTE.formatted(7, 6) + "," + NOTE.formatted(8, 9) + "]";
    assertThat(respond("POST", "/api/annotation/bulk", notes))
        .startsWith("400 ")
        .contains("1 of 2 annotations can't be stored", "[0]: endTime: 6 is before");
    assertThat(respond("GET", "/api/annotation?start_time=8", "")).startsWith("200 ");
  }

  @Test
  void inStrictModeItIsStored() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(respond("POST", "/api/annotation", NOTE.formatted(7, 6))).startsWith("200 ");
  }
}
