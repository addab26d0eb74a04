package org.hourstone.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;

class CellLoaderTest {
  private static String line(String row) {
    return "{\"table\":\"t\",\"row\":\""
        + row
        + "\",\"family\":\"t\",\"qualifier\":\"\",\"value\":\"\"}\n";
  }

  @Test
  void aCellBeyondTheLimitsIsAnErrorOfItsLineAndThoseBeforeAreStored() {
    try (KeyValueStore store = new ModelStore(InstantSource.system())) {
      CellLoader loader = new CellLoader(store, Set.of(), true, false, () -> {});
      List<Long> stored = new ArrayList<>();
      String lines = line("01") + line("02".repeat(Limits.ROW_KEY + 1)) + line("03");
      assertThatExceptionOfType(RequestException.class)
          .isThrownBy(
              () ->
                  loader.load(
                      new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                      stored::add))
          .withMessage("2: 32001 bytes of a row key: more than 32000");
      assertThat(stored).containsExactly(1L);
      Family family = new Family("t", "t");
      assertThat(store.get(family, new byte[] {1}, Columns.all()).size()).isEqualTo(1);
    }
  }
}
