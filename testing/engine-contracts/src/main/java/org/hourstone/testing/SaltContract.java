package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.junit.jupiter.api.Test;

/** A store whose rows contradict the configured salt does not open. */
public abstract class SaltContract extends TsdbCase {
  private static final byte[] CELL = {0, 0};

  private TsdbOptions salted(int width, int buckets) {
    return db.engine()
        .options()
        .with(Settings.SALT_WIDTH, Integer.toString(width))
        .with(Settings.SALT_BUCKETS, Integer.toString(buckets));
  }

  private void use(TsdbOptions options) {
    db.close();
    db = Tsdb.over(store, options);
  }

  private void putPoints() {
    for (int i = 0; i < 20; i++) {
      db.put("sys.cpu", START.plusSeconds(3600L * i), i, WEB01).join();
      db.put("sys.mem", START.plusSeconds(3600L * i), i, WEB02).join();
    }
    db.flush();
  }

  /** As in a store of an earlier version. */
  private void removeRecord() {
    Family record = new Family("tsdb-store", "s");
    if (store.families().contains(record)) {
      byte[] row = "\u0001tsdb".getBytes(StandardCharsets.US_ASCII);
      store.mutate(record, List.of(new RowMutation(row, new Change.DeleteRow())));
    }
  }

  private void assertRefused(TsdbOptions options, String message) {
    removeRecord();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, options).close())
        .withMessageContaining("table tsdb does not fit tsd.storage.salt.width=")
        .withMessageContaining(message)
        .withMessageContaining("hourstone.salt.check=false skips this check");
  }

  private void assertOpens(TsdbOptions options) {
    removeRecord();
    assertThatCode(() -> Tsdb.over(store, options).close()).doesNotThrowAnyException();
  }

  @Test
  void anUnsaltedTableIsNotOpenedAsASaltedOne() {
    putPoints();

    assertRefused(salted(1, 20), "a salt width of 0");
    assertRefused(salted(2, 20), "a salt width of 0");
    assertOpens(db.engine().options());
  }

  @Test
  void aSaltedTableIsNotOpenedAsAnUnsaltedOneNorWithAnotherWidth() {
    use(salted(1, 20));
    putPoints();

    assertRefused(salted(0, 20), "a salt width of 1");
    assertRefused(salted(2, 20), "a salt width of 1");
    assertOpens(db.engine().options());
  }

  @Test
  void theCheckCanBeSkipped() {
    putPoints();

    assertOpens(salted(1, 20).with(Settings.SALT_CHECK, "false"));
  }

  @Test
  void anEmptyTableFitsAnySalt() {
    assertOpens(salted(1, 20));
    assertOpens(salted(0, 20));
  }

  /** They come first, have no tags, and there may be many. */
  @Test
  void globalAnnotationsDoNotHideTheRows() {
    for (int i = 0; i < 20; i++) {
      db.annotations().save(new Annotation("", HOUR + 3600L * i, 0, "deployed", "", null), false);
    }
    assertOpens(salted(1, 20));
    putPoints();

    assertRefused(salted(1, 20), "a salt width of 0");
    assertOpens(db.engine().options());
  }

  /** A corrupt row, or one written with a wrong salt before, is no contradiction among others. */
  @Test
  void oneRowThatFitsIsEnough() {
    Family points = db.engine().options().tables().points();
    store.put(points, new byte[14], CELL, CELL);
    assertRefused(salted(0, 20), "a salt width of 1");

    putPoints();

    assertOpens(salted(0, 20));
    assertOpens(salted(1, 20));
    assertRefused(salted(2, 20), "a salt width of");
  }
}
