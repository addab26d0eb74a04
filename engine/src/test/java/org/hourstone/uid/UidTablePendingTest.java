package org.hourstone.uid;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UidTablePendingTest {
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
    UidTable uids = UidTables.over(store, clock);
    claimed(uids).put(UidKind.METRIC, new NoRoom());

    assertThatThrownBy(() -> uids.uidsForWriting(UidKind.METRIC, List.of("first", "second")))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(uids.uidsForWriting(UidKind.METRIC, List.of("first", "second"))).hasSize(2);
  }

  @SuppressWarnings("unchecked")
  private static Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>> claimed(
      UidTable uids) throws ReflectiveOperationException {
    Field assigner = UidTable.class.getDeclaredField("assigner");
    assigner.setAccessible(true);
    Field pending = UidAssigner.class.getDeclaredField("pending");
    pending.setAccessible(true);
    return (Map<UidKind, ConcurrentHashMap<String, CompletableFuture<Void>>>)
        pending.get(assigner.get(uids));
  }

  /** Tells when a name is asked for that another thread assigns. */
  private static final class Claims extends ConcurrentHashMap<String, CompletableFuture<Void>> {
    private static final long serialVersionUID = 1L;
    private final transient CountDownLatch waiting = new CountDownLatch(1);

    @Override
    public CompletableFuture<Void> putIfAbsent(String name, CompletableFuture<Void> assignment) {
      CompletableFuture<Void> other = super.putIfAbsent(name, assignment);
      if (other != null) {
        waiting.countDown();
      }
      return other;
    }
  }

  /** A name of a batch turns out to have a UID of another width, when others wait for the rest. */
  @Test
  void whoWaitsForANameDoesNotFailForAnother() throws Exception {
    Claims claims = new Claims();
    CountDownLatch assigning = new CountDownLatch(1);
    KeyValueStore meddled =
        new ForwardingStore(store) {
          private boolean isFirst = true;

          @Override
          public List<Boolean> createCells(
              Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
            throw new StoreException(Outcome.NOT_APPLIED, "together it fails");
          }

          @Override
          public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
            if (isFirst) {
              isFirst = false;
              assigning.countDown();
              Uninterruptibles.awaitUninterruptibly(claims.waiting);
              put(family, "wide".getBytes(US_ASCII), qualifier, new byte[] {0, 0, 0, 9});
            }
            return super.increment(family, row, qualifier, delta);
          }
        };
    UidTable uids = UidTables.over(meddled, clock);
    claimed(uids).put(UidKind.METRIC, claims);
    CompletableFuture<Object> batch =
        CompletableFuture.supplyAsync(
            () -> uids.uidsForWriting(UidKind.METRIC, List.of("wide", "other")));
    assigning.await();

    byte[] uid = uids.uidForWriting(UidKind.METRIC, "other");

    assertThat(uids.name(UidKind.METRIC, uid)).isEqualTo("other");
    assertThatThrownBy(batch::join).hasMessageContaining("wide");
  }
}
