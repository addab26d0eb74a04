package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.SchemaMode;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UidTablePendingTest {
  private static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final ModelStore store = new ModelStore(clock);

  /** Has no memory for one name, once. */
  private static final class NoRoom extends ConcurrentHashMap<String, CompletableFuture<Void>> {
    private static final long serialVersionUID = 1L;
    private boolean thrown;

    @Override
    public CompletableFuture<Void> putIfAbsent(String name, CompletableFuture<Void> assignment) {
      if (name.equals("second") && !thrown) {
        thrown = true;
        throw new OutOfMemoryError("no room");
      }
      return super.putIfAbsent(name, assignment);
    }
  }

  /** Else all who write the first name wait for ever. */
  @Test
  void anErrorWhileNamesAreClaimedLeavesNoneClaimed() throws Exception {
    store.ensure(TABLES.families(), SchemaMode.CREATE);
    UidTable uids =
        new UidTable(
            store,
            TABLES.uidIds(),
            TABLES.uidNames(),
            new Schema(3, 3, 3, 0, 20, 8),
            new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 10_000, Duration.ZERO),
            Backoff.none(),
            clock,
            new Random(1));
    Field assigner = UidTable.class.getDeclaredField("assigner");
    assigner.setAccessible(true);
    Field pending = UidAssigner.class.getDeclaredField("pending");
    pending.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>> claimed =
        (Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>>)
            pending.get(assigner.get(uids));
    claimed.put(UidKind.METRIC, new NoRoom());

    assertThatThrownBy(() -> uids.uidsForWriting(UidKind.METRIC, List.of("first", "second")))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(uids.uidsForWriting(UidKind.METRIC, List.of("first", "second"))).hasSize(2);
  }
}
