package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JsonTest {
  /** Clients choose them, so they would be kept for as long as the process runs. */
  @Test
  void theNamesOfMembersAreNotKept() {
    String text = "{\"aName\":1}";
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    Set<String> names = Collections.newSetFromMap(new IdentityHashMap<>());

    for (JsonNode each :
        List.of(Json.read(text), Json.read(text), Json.read(utf8), Json.read(utf8))) {
      names.add(each.fieldNames().next());
    }

    assertThat(names).hasSize(4).allMatch("aName"::equals);
  }
}
