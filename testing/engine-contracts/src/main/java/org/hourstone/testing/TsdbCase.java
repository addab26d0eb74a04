package org.hourstone.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.StoreFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests of the public API: a database over the store under test, and what it answers. */
public abstract class TsdbCase {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  protected static final long HOUR = 1_500_001_200;

  protected static final Instant START = Instant.ofEpochSecond(HOUR);
  protected static final Tags WEB01 = Tags.of("host", "web01");
  protected static final Tags WEB02 = Tags.of("host", "web02");

  @TempDir private Path directory;
  protected KeyValueStore store;
  protected Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  protected final void openDatabase() {
    openDatabase(1);
  }

  protected final void openDatabase(long seed) {
    store = open(StoreFixture.in(directory.resolve("s" + seed), seed));
    db = Tsdb.over(store, TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true"));
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

  protected final Tsdb with(Setting<?> key, String value) {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(key, value));
    return db;
  }

  protected static Query query(String expression) {
    return Query.parse(expression)
        .between(START.minus(Duration.ofHours(1)), START.plus(Duration.ofDays(1)));
  }

  /**
   * The answer as {@code metric{tags}aggregateTags: seconds-from-start=value …}, one per series.
   */
  protected final List<String> ask(Query query) {
    List<String> answer = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(series -> answer.add(text(series)));
    }
    return answer;
  }

  protected static String text(ResultSeries series) {
    StringBuilder text = new StringBuilder(series.metric());
    text.append(series.tags()).append(series.aggregateTags()).append(':');
    for (int i = 0; i < series.size(); i++) {
      long millis = series.millis(i) - HOUR * 1000;
      text.append(' ').append(millis % 1000 == 0 ? millis / 1000 + "" : millis / 1000.0 + "");
      text.append('=').append(series.text(i));
    }
    return text.toString();
  }
}
