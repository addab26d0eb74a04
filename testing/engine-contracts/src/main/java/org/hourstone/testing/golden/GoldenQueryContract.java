package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testkit.StoreFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, queries over it are answered in strict mode as OpenTSDB 2.4 answered
 * them, number by number, in whatever form the points are stored. Plays the recordings that come
 * with the tests, or those in the directory that {@code golden.dir} names.
 */
public abstract class GoldenQueryContract {
  @TempDir private Path directory;
  private @Nullable KeyValueStore store;
  private @Nullable Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @TestFactory
  final Stream<DynamicTest> queriesOfPlainCellsAreAnsweredAsRecorded() {
    return play(StoredForm.PLAIN);
  }

  @TestFactory
  final Stream<DynamicTest> queriesOfCompactedRowsAreAnsweredAsRecorded() {
    return play(StoredForm.COMPACTED);
  }

  @TestFactory
  final Stream<DynamicTest> queriesOfAppendedCellsAreAnsweredAsRecorded() {
    return play(StoredForm.APPENDED);
  }

  @TestFactory
  final Stream<DynamicTest> queriesOfASaltedTableAreAnsweredAsRecordedInAnyOrder() {
    return play(StoredForm.SALTED);
  }

  @TestFactory
  final Stream<DynamicTest> queriesOfIndexedSeriesAreAnsweredAsRecorded() {
    return play(StoredForm.INDEXED);
  }

  @AfterEach
  final void close() {
    if (db != null) {
      db.close();
    }
    if (store != null) {
      store.close();
    }
  }

  private Stream<DynamicTest> play(StoredForm form) {
    return Recordings.queries().map(recorded -> play(recorded, form)).orElse(Stream.empty());
  }

  private Stream<DynamicTest> play(RecordedQueries recorded, StoredForm form) {
    store = open(StoreFixture.in(directory, 1));
    Tsdb opened = Tsdb.over(store, form.options(GoldenConfig.options(Map.of())));
    db = opened;
    form.put(recorded.points(), opened);
    Api api = new Api(opened);
    return recorded.queries().stream()
        .map(
            query ->
                DynamicTest.dynamicTest(
                    query.required("name").asText(), () -> compare(query, api, form)));
  }

  private static void compare(JsonNode query, Api api, StoredForm form) {
    ApiResponse answer = api.respond(RecordedAnswer.call(query));
    String difference =
        form.keepsOrder()
            ? QueryComparison.difference(query, answer)
            : QueryComparison.differenceInAnyOrder(query, answer);
    assertThat(difference).describedAs("%s", query).isEmpty();
  }
}
