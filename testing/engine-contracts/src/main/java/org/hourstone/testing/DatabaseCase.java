package org.hourstone.testing;

import java.nio.file.Path;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database over the store under test, opened for each test. */
public abstract class DatabaseCase {
  @TempDir private Path directory;
  protected StoreFixture fixture;
  protected KeyValueStore store;
  protected Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /** The options of the database. */
  protected abstract TsdbOptions options();

  @BeforeEach
  protected final void openDatabase() {
    fixture = StoreFixture.in(directory, 1);
    store = open(fixture);
    db = Tsdb.over(store, options());
  }

  @AfterEach
  protected final void closeDatabase() {
    if (db != null) { // opening it may have failed, and that is what must be reported
      db.close();
    }
    if (store != null) {
      store.close();
    }
  }

  /** Closes the database and opens one over the same store. */
  protected final void useInstead(TsdbOptions options) {
    useInstead(store, options);
  }

  protected final void useInstead(KeyValueStore other, TsdbOptions options) {
    db.close();
    db = Tsdb.over(other, options);
  }
}
