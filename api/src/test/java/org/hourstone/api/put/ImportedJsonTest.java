package org.hourstone.api.put;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.util.Map;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportedJsonTest {
  private final ImportedJson json =
      new ImportedJson(TsdbOptions.defaults().nameRules(), ZoneId.of("Europe/Paris"));

  /** Quotes in a line are single ones. */
  private String line(String text) {
    return json.apply(text.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1 1",
    "1500000000500, -9223372036854775808, 1500000000500 -9223372036854775808",
    "1500000000.5, 0.30000000000000004, 1500000000500 0.30000000000000004",
    "15e8, 1e400, 1500000000 1e400",
    "\"2017-07-14T04:40\", \"42.5d\", 1500000000 42.5d",
    "1, NaN, 1 NaN",
  })
  void numbersKeepTheirDigits(String time, String value, String words) {
    String point =
        "{\"tags\":{\"b\":1,\"a\":\"x\"},\"timestamp\":%s,\"value\":%s,\"metric\":\"m\"}";

    assertThat(json.apply(point.formatted(time, value))).isEqualTo("m " + words + " a=x b=1");
  }

  @Test
  void escapesAreResolved() {
    assertThat(line("  {'metric':'m\\u00e9\\\\','timestamp':1,'value':1,'tags':{'a':'\\n'}}"))
        .isEqualTo("m\u00e9\\ 1 1 a=\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metric':'m','timestamp':1,'value':1,'tags':{'a':'b'},'end':1,'omitted':{},'x':[]}",
        "{'metric':'m','timestamp':1,'value':1,'tags':{'a':'b'},'annotation':null,'id':null}"
      })
  void otherMembersOfAPointAreIgnored(String point) {
    assertThat(line(point)).isEqualTo("m 1 1 a=b");
    assertThat(json.skipped()).isEmpty();
  }

  @Test
  void whatIsNoPointIsAnEmptyLine() {
    assertThat(line("{'annotation':{'startTime':1}}")).isEmpty();
    assertThat(line("{'metric':'m','tags':{'a':'b'},'timestamp':1,'id':0,'value':'AA=='}"))
        .isEmpty();
    assertThat(line("{'omitted':{'row':'00','cell':'01','reason':'x'}}")).isEmpty();
    assertThat(json.skipped())
        .isEqualTo(
            Map.of("annotations", 1L, "histograms", 1L, "cells that the export omitted", 1L));
    for (String mark :
        new String[] {"{'after':'0.00'}", "{'end':{'points':0,'omitted':0}}", "# {", " ", ""}) {
      assertThat(line(mark)).isEmpty();
    }
    assertThat(json.skipped()).hasSize(3);
  }

  /** Neither words of their own nor a comment. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metric':'a 1 1','timestamp':1,'value':1,'tags':{'a':'b'}}",
        "{'metric':'m','timestamp':1,'value':'1 x=y','tags':{'a':'b'}}",
        "{'metric':'m','timestamp':1,'value':1,'tags':{'a':'b c=d'}}",
        "{'metric':'m','timestamp':1,'value':1,'tags':{'a=b':'c'}}",
        "{'metric':'# x','timestamp':1,'value':1,'tags':{'a':'b'}}",
        "{'metric':'#x','timestamp':1,'value':1,'tags':{'a':'b'}}"
      })
  void namesAndValuesAreNotReadAsAnythingElse(String point) {
    assertThatThrownBy(() -> line(point)).isInstanceOf(RequestException.class);
  }
}
