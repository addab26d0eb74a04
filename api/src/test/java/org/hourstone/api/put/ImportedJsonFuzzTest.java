package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.ZoneOffset;
import java.util.regex.Pattern;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;

/** Any line is refused, or it is one for import, or there is nothing to do. */
class ImportedJsonFuzzTest {
  private static final Pattern POINT =
      Pattern.compile("(?!#)[^ ]+ [1-9]\\d* [^ ]+( [^ =]*=[^ =]*)+", Pattern.DOTALL);

  @FuzzTest(maxExecutions = 200_000)
  void linesAreForImportOrRefused(byte @NotNull [] text) {
    ImportedJson json = new ImportedJson(TsdbOptions.defaults().nameRules(), ZoneOffset.UTC);
    String file = new String(text, UTF_8);
    // Few inputs are objects: the other line makes most of them members of a point.
    String inPoint = "{\"metric\":\"m\",\"timestamp\":1,\"tags\":{\"a\":\"b\"},\"value\":" + file;
    for (String line : (file + "\n" + inPoint + "}").split("\n")) {
      try {
        String point = json.apply(line);
        assertThat(point.isEmpty() || POINT.matcher(point).matches()).as(point).isTrue();
      } catch (RequestException e) {
        assertThat(e.getMessage()).isNotEmpty();
      }
    }
  }
}
