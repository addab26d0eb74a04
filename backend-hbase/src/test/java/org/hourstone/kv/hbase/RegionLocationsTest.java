package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RegionLocationsTest {
  private static final Set<TableName> TABLES = Set.of(TableName.valueOf("tsdb"));

  /** As while the server of hbase:meta hangs, and after it was replaced. */
  @Test
  void locationsAreForgottenOnlyAfterMetaWasRead() throws Exception {
    CompletableFuture<Result> noAnswer = new CompletableFuture<>();
    CompletableFuture<Result> failure = CompletableFuture.failedFuture(new IOException("stopped"));
    CompletableFuture<Result> answer = CompletableFuture.completedFuture(Result.EMPTY_RESULT);
    BlockingQueue<CompletableFuture<Result>> reads =
        new LinkedBlockingQueue<>(List.of(noAnswer, failure, answer));
    BlockingQueue<Integer> readsLeftWhenForgotten = new LinkedBlockingQueue<>();
    AsyncTable<?> meta = proxy(AsyncTable.class, (proxy, method, arguments) -> reads.take());
    AsyncTableBuilder<?> builder =
        proxy(
            AsyncTableBuilder.class,
            (proxy, method, arguments) -> method.getName().equals("build") ? meta : proxy);
    AsyncTableRegionLocator locator =
        proxy(
            AsyncTableRegionLocator.class,
            (proxy, method, arguments) -> {
              readsLeftWhenForgotten.add(reads.size());
              return null;
            });
    AsyncConnection connection =
        proxy(
            AsyncConnection.class,
            (proxy, method, arguments) ->
                method.getName().equals("getRegionLocator") ? locator : builder);
    InFlightCalls calls = new InFlightCalls("store", Duration.ofHours(1));
    long unused = calls.enter();

    RegionLocations locations =
        RegionLocations.watch(connection, TABLES, calls, Duration.ofMillis(1));

    assertThat(readsLeftWhenForgotten.take()).isZero();
    locations.close();
  }

  /** As of a connection that is being closed, or when memory is short. */
  @Test
  void aLookThatFailsIsRepeated() throws Exception {
    BlockingQueue<Throwable> failures =
        new LinkedBlockingQueue<>(
            List.of(new IllegalStateException("closed"), new OutOfMemoryError("none")));
    CompletableFuture<String> looked = new CompletableFuture<>();
    AsyncConnection connection =
        proxy(
            AsyncConnection.class,
            (proxy, method, arguments) -> {
              Throwable failure = failures.poll();
              if (failure == null) {
                looked.complete("again");
                throw new IllegalStateException("enough");
              }
              throw failure;
            });
    InFlightCalls calls = new InFlightCalls("store", Duration.ofHours(1));
    long unused = calls.enter();

    RegionLocations locations =
        RegionLocations.watch(connection, TABLES, calls, Duration.ofMillis(1));

    assertThat(looked.get()).isEqualTo("again");
    locations.close();
  }

  private static <T> T proxy(Class<T> type, InvocationHandler calls) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
  }
}
