package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Room in the write buffer is given back whatever happens, and waited for no longer than said. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class WriteBufferTest {
  private static final Family FAMILY = new Family("table", "t");
  private static final int BUFFER = 1 << 20;
  private static final CompletableFuture<Object> DONE = CompletableFuture.completedFuture("done");
  private static final CompletableFuture<Object> NO_ANSWER = new CompletableFuture<>();

  private final HBaseErrors errors = new HBaseErrors("hbase://nowhere");
  private final AtomicReference<Object> client = new AtomicReference<>(DONE);
  private final List<Object> attemptTimeouts = new ArrayList<>();
  private final Batches batches =
      new Batches(
          fake(AsyncConnection.class, tableBuilder()),
          new Names("", errors),
          errors,
          new Mutations(Durability.USE_DEFAULT, new SizeLimits(0, Integer.MAX_VALUE), errors),
          new WriteBuffer(BUFFER, Duration.ofMillis(100)),
          Duration.ofSeconds(1));

  private AsyncTableBuilder<?> tableBuilder() {
    AsyncTable<?> table = fake(AsyncTable.class, client);
    return (AsyncTableBuilder<?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {AsyncTableBuilder.class},
            (builder, method, arguments) -> {
              if (method.getName().equals("setRpcTimeout")) {
                attemptTimeouts.add(arguments[0]);
              }
              return method.getName().equals("build") ? table : builder;
            });
  }

  /** Something of which every method returns, or throws, the content of a reference. */
  private static <T> T fake(Class<T> type, Object result) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Object content = result instanceof AtomicReference<?> r ? r.get() : result;
              if (content instanceof Throwable failure) {
                throw failure;
              }
              return content instanceof CompletableFuture<?> ? List.of(content) : content;
            }));
  }

  private static List<RowMutation> halfTheBuffer() {
    return List.of(
        new RowMutation(new byte[] {1}, new Change.Put(new byte[] {2}, new byte[BUFFER / 2])));
  }

  private void assertThereIsRoom() {
    client.set(DONE);
    assertThatCode(() -> batches.send(FAMILY, halfTheBuffer()).join()).doesNotThrowAnyException();
  }

  @Test
  void theClientRefuses() {
    for (Throwable failure :
        List.of(new RejectedExecutionException("closed"), new OutOfMemoryError("simulated"))) {
      for (int i = 0; i < 3; i++) {
        client.set(failure);
        assertThatThrownBy(() -> batches.send(FAMILY, halfTheBuffer())).isSameAs(failure);
      }
    }
    assertThereIsRoom();
  }

  @Test
  void theBatchCannotBeRead() {
    List<RowMutation> unreadable =
        new AbstractList<>() {
          private int reads;

          @Override
          public RowMutation get(int i) {
            if (++reads > 2) {
              throw new IllegalStateException("read too often");
            }
            return halfTheBuffer().get(i);
          }

          @Override
          public int size() {
            return 1;
          }
        };
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> batches.send(FAMILY, unreadable))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThereIsRoom();
  }

  @Test
  void aRowLargerThanAPartIsTriedForAsLongAsTheOperationMayTake() {
    assertThereIsRoom();
    assertThat(attemptTimeouts).isEmpty();

    byte[] large = new byte[(int) Batches.MAX_BYTES];
    batches
        .send(FAMILY, List.of(new RowMutation(new byte[1], new Change.Put(new byte[1], large))))
        .join();

    assertThat(attemptTimeouts).containsExactly(1_000L);
  }

  @Test
  void withoutRoomABatchIsNotApplied() {
    client.set(NO_ANSWER);
    var first = batches.send(FAMILY, halfTheBuffer());

    CompletionException failure =
        catchThrowableOfType(
            CompletionException.class, () -> batches.send(FAMILY, halfTheBuffer()).join());

    assertThat(failure.getCause())
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_APPLIED))
        .isNotInstanceOf(BatchException.class)
        .hasMessageContaining("no room in write.buffer");
    assertThat(first).isNotDone();
  }

  @Test
  void bytesInFlightAndWaitsAreCounted() throws Exception {
    WriteBuffer buffer = new WriteBuffer(BUFFER, Duration.ofMillis(1));
    int taken = buffer.acquire(BUFFER);
    assertThat(buffer.used()).isEqualTo(buffer.limit()).isEqualTo(BUFFER);
    assertThat(buffer.waits()).isZero();

    assertThatThrownBy(() -> buffer.acquire(1)).isInstanceOf(TimeoutException.class);
    assertThat(buffer.waits()).isEqualTo(1);
    buffer.release(taken);
    assertThat(buffer.used()).isZero();
  }
}
