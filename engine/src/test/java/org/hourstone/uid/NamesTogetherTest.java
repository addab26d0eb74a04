package org.hourstone.uid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Many names are assigned together, and the store fails. */
class NamesTogetherTest {
  /** The response to the publishing is lost, and then the store is away. */
  private static final class Hiccup extends ForwardingStore {
    private boolean lasts = true;
    private boolean isAway;

    Hiccup(KeyValueStore store) {
      super(store);
    }

    @Override
    public List<Boolean> createCells(
        Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
      List<Boolean> created = super.createCells(family, rows, qualifier, values);
      if (lasts && family.equals(UidTables.TABLES.uidIds())) {
        isAway = true;
        throw new StoreException(Outcome.UNKNOWN, "no response");
      }
      return created;
    }

    @Override
    public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
      if (lasts && isAway) {
        throw new StoreException(Outcome.NOT_APPLIED, "it is away");
      }
      return super.increment(family, row, qualifier, delta);
    }
  }

  @Test
  void whatWasPublishedIsAnnouncedThoughTheResponseIsLost() {
    List<String> announced = new ArrayList<>();
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
    try (Hiccup store = new Hiccup(new ModelStore(InstantSource.system()))) {
      UidTable uids = UidTables.over(store, InstantSource.system());
      uids.onAssigned((kind, uid) -> announced.add(uids.name(kind, uid)));

      assertThat(uids.uidsForWriting(UidKind.METRIC, names)).hasSize(100);

      assertThat(announced).containsExactlyInAnyOrderElementsOf(names);
      store.lasts = true;
      assertThatThrownBy(() -> uids.uidForWriting(UidKind.METRIC, "another"))
          .isInstanceOf(StoreException.class);
    }
  }

  /** Numbers can be taken, but no cell can be set. */
  private static final class Unwritable extends ForwardingStore {
    private boolean lasts = true;

    Unwritable(KeyValueStore store) {
      super(store);
    }

    private void refuse() {
      if (lasts) {
        throw new StoreException(Outcome.NOT_APPLIED, "the region is closed");
      }
    }

    @Override
    public List<Boolean> createCells(
        Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
      refuse();
      return super.createCells(family, rows, qualifier, values);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      refuse();
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  /** Agents send their points again and again, and there are 16 million numbers. */
  @Test
  void anOutageUsesNoNumbersUp() {
    List<String> names = IntStream.range(0, 100).mapToObj(i -> "m" + i).toList();
    try (Unwritable store = new Unwritable(new ModelStore(InstantSource.system()))) {
      UidTable uids = UidTables.over(store, InstantSource.system());
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> uids.uidsForWriting(UidKind.METRIC, names))
            .isInstanceOf(StoreException.class);
      }
      store.lasts = false;

      assertThat(uids.uidsForWriting(UidKind.METRIC, names)).hasSize(100);
      assertThat(uids.usage(UidKind.METRIC).assigned()).isEqualTo(100);
    }
  }
}
