package org.hourstone.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;

/** What is made of large texts waits for room. */
class HandlingRoomTest {
  private static final ApiCall CALL = ApiCall.of("GET", "/api/tree", "");

  @Test
  void aTextWaitsUntilThereIsRoom() {
    HandlingRoom room = new HandlingRoom(20_000);
    CompletableFuture<Boolean> third = new CompletableFuture<>();

    room.handle(
        1_000,
        () ->
            room.handle(
                1_000,
                () -> {
                  third.completeAsync(() -> room.get(1_000, () -> true));
                  assertThat(third).isNotDone();
                }));

    assertThat(third.join()).isTrue();
    room.handle(HandlingRoom.MOST_TEXT, () -> {}); // which is larger than all of the room
  }

  @Test
  void requestsHaveTheirTurnsAndFailuresReleaseTheRoom() throws Exception {
    HandlingRoom room = new HandlingRoom(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    Endpoint failing =
        room.of(
            call -> {
              begun.countDown();
              await(goesOn);
              throw new ApiException(ApiException.BAD_REQUEST, "fails");
            });
    CompletableFuture<ApiResponse> first =
        CompletableFuture.supplyAsync(() -> failing.respond(CALL));
    begun.await();
    CompletableFuture<ApiResponse> second =
        CompletableFuture.supplyAsync(
            () -> room.of(call -> ApiResponse.ok(first.isDone())).respond(CALL));
    goesOn.countDown();

    assertThatThrownBy(first::join).hasMessageContaining("fails");
    assertThat(second.join().status()).isEqualTo(200);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
