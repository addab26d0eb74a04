package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreUri;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OpeningTest {
  @Test
  void openingTakesTwentySecondsAtMost() {
    Opening opening = new Opening(Duration.ofMinutes(1));

    assertThat(opening.forConnecting()).isEqualTo(Duration.ofSeconds(15));
    assertThat(opening.forTables()).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(20));
    assertThat(new Opening(Duration.ofSeconds(3)).forTables())
        .isBetween(Duration.ofMillis(750), Duration.ofSeconds(3));
  }

  /** As where the server with the region of regions hangs: calls themselves may take an hour. */
  @Test
  void unknownTablesAreAFailureInTime() {
    AsyncAdmin silent =
        (AsyncAdmin)
            Proxy.newProxyInstance(
                AsyncAdmin.class.getClassLoader(),
                new Class<?>[] {AsyncAdmin.class},
                (proxy, method, arguments) -> new CompletableFuture<>());
    HBaseErrors errors = new HBaseErrors("hbase://nowhere");
    TableCreation schema =
        new TableCreation(
            silent,
            new Names("", errors),
            new InFlightCalls("store", Duration.ofHours(1)),
            errors,
            TableOptions.of(StoreUri.parse("hbase://nowhere")),
            new Opening(Duration.ofMillis(300)));
    List<FamilySpec> families = List.of(new FamilySpec(new Family("tsdb", "t"), true));

    for (SchemaMode mode : SchemaMode.values()) {
      assertThatThrownBy(() -> schema.ensure(families, mode))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED))
          .hasMessageContaining("cannot read the schema of table tsdb: no response");
    }
  }
}
