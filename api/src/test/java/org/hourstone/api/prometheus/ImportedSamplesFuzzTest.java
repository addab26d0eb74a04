package org.hourstone.api.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.util.regex.Pattern;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;

/** Any line of Prometheus' text is refused, or it is one for import, or there is nothing to do. */
class ImportedSamplesFuzzTest {
  private static final Pattern POINT =
      Pattern.compile("[^ =]+ \\d+ -?\\d+\\.\\d+(E-?\\d+)?( [^ =]+=[^ =]+)+");

  @FuzzTest(maxExecutions = 200_000)
  void linesAreForImportOrRefused(byte @NotNull [] text) {
    for (Exposition form : Exposition.values()) {
      ImportedSamples samples =
          new ImportedSamples(form, TsdbOptions.defaults().nameRules(), 1_500_001_400_000L);
      for (String line : new String(text, UTF_8).split("\n")) {
        try {
          String point = samples.apply(line);
          assertThat(point.isEmpty() || POINT.matcher(point).matches()).as(point).isTrue();
        } catch (RequestException e) {
          assertThat(e.getMessage()).isNotEmpty();
        }
      }
    }
  }
}
