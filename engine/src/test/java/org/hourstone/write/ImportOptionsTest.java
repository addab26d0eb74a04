package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import org.hourstone.error.RequestException;
import org.hourstone.internal.OwnComment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImportOptionsTest {
  private static final ImportOptions WITH_COMMENTS = new ImportOptions(false, true, true);
  private static final ImportOptions WITHOUT = new ImportOptions(false, true, false);

  @ParameterizedTest
  @ValueSource(
      strings = {"# 1700000000 1 a=b", "#m 1700000000 1 a=b", "#", "# ", "# note", "#end: 1"})
  void whereNamesMayContainAHashALineWithOneMayBeAPoint(String line) {
    assertThat(WITH_COMMENTS.isSkipped(line)).isTrue();
    assertThat(WITHOUT.isSkipped(line)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void ourOwnCommentsAreSkippedEverywhere(OwnComment comment) {
    assertThat(WITH_COMMENTS.isSkipped(comment.line("1 a=b"))).isTrue();
    assertThat(WITHOUT.isSkipped(comment.line("1 a=b"))).isTrue();
    assertThat(WITHOUT.isSkipped(comment.line(""))).isTrue();
  }

  /** Else a point would be skipped. */
  @ParameterizedTest
  @EnumSource
  void noneOfThemIsAPoint(OwnComment comment) {
    String time = comment.line("1 a=b").split(" ")[1];
    for (LineDialect dialect : LineDialect.values()) {
      assertThatThrownBy(() -> dialect.importTime(time, ZoneOffset.UTC))
          .isInstanceOf(RequestException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"m 1700000000 1 a=b", "after 1700000000 1 a=b", "put # after 1 a=b"})
  void pointsAreNotSkipped(String line) {
    assertThat(WITH_COMMENTS.isSkipped(line)).isFalse();
    assertThat(WITHOUT.isSkipped(line)).isFalse();
  }
}
