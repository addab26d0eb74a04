package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClientMemoryTest {
  @Test
  void aRefusalDoesNotRefuseConcurrentOthers() throws InterruptedException {
    ClientMemory memory = new ClientMemory(1_000);
    AtomicBoolean end = new AtomicBoolean();
    Thread refused =
        new Thread(
            () -> {
              while (!end.get()) {
                memory.take(1_001);
              }
            });
    refused.start();
    int taken = 0;
    for (int i = 0; i < 1_000_000; i++) {
      if (memory.take(1_000)) {
        taken++;
        memory.release(1_000);
      }
    }
    end.set(true);
    refused.join();

    assertThat(taken).isEqualTo(1_000_000);
  }

  /** A client that notes what happens to it. */
  private static final class Noting implements ClientMemory.Client {
    private final String name;
    private final List<String> events;

    Noting(String name, List<String> events) {
      this.name = name;
      this.events = events;
    }

    @Override
    public boolean granted() {
      events.add(name + " has room");
      return true;
    }

    @Override
    public void giveUp() {
      events.add(name + " must give up");
    }
  }

  private final List<String> events = new ArrayList<>();

  private Noting client(String name) {
    return new Noting(name, events);
  }

  @Test
  void clientsGetRoomInTheOrderInWhichTheyWaitAndBeforeOthers() {
    ClientMemory share = new ClientMemory(10L * ClientMemory.ROOM).share(ClientMemory.ROOM);
    assertThat(share.take(ClientMemory.ROOM)).isTrue();
    share.await(client("a"));
    share.await(client("b"));

    share.release(ClientMemory.ROOM);

    assertThat(events).containsExactly("a has room");
    share.release(ClientMemory.ROOM / 2);
    assertThat(share.takeInTurn(1)).isFalse();
    share.release(ClientMemory.ROOM / 2);
    assertThat(events).containsExactly("a has room", "b has room");
    share.release(ClientMemory.ROOM);
    assertThat(share.takeInTurn(1)).isTrue();
  }

  @Test
  void roomThatAnotherShareReleasesIsGranted() {
    ClientMemory whole = new ClientMemory(ClientMemory.ROOM);
    ClientMemory bodies = whole.share(ClientMemory.ROOM);
    ClientMemory lines = whole.share(ClientMemory.ROOM);
    assertThat(bodies.take(10)).isTrue();
    lines.await(client("a"));
    assertThat(events).isEmpty();

    bodies.release(10);

    assertThat(events).containsExactly("a has room");
  }

  @Test
  void whileAClientWaitsThoseThatAreStuckGiveUpOneAfterTheOther() {
    ClientMemory share = new ClientMemory(ClientMemory.ROOM).share(ClientMemory.ROOM);
    assertThat(share.take(ClientMemory.ROOM)).isTrue();
    Noting first = client("first");
    Noting second = client("second");
    share.setStuck(first, true);
    share.setStuck(second, true);
    assertThat(events).isEmpty();

    share.await(client("a"));
    share.await(client("b"));

    assertThat(events).containsExactly("first must give up");
    share.leave(first);
    assertThat(events).containsExactly("first must give up", "second must give up");
    share.release(ClientMemory.ROOM);
    share.leave(second);
    assertThat(events).last().isEqualTo("a has room");
  }

  @Test
  void whatIsTakenWithoutRoomIsMissingUntilItIsReleased() {
    ClientMemory memory = new ClientMemory(100);
    memory.takeAnyway(150);
    assertThat(memory.taken()).isEqualTo(150);
    assertThat(memory.take(0)).isTrue();
    assertThat(memory.take(1)).isFalse();

    memory.release(150);

    assertThat(memory.take(100)).isTrue();
  }

  /** Neither the client that begins to wait nor the one that releases may miss the other. */
  @Test
  void noClientWaitsForeverHoweverWaitingAndReleasingMeet() throws InterruptedException {
    ClientMemory share = new ClientMemory(ClientMemory.ROOM).share(ClientMemory.ROOM);
    for (int i = 0; i < 10_000; i++) {
      assertThat(share.take(ClientMemory.ROOM)).isTrue();
      CountDownLatch granted = new CountDownLatch(1);
      Thread releasing = new Thread(() -> share.release(ClientMemory.ROOM));
      releasing.start();
      share.await(
          new ClientMemory.Client() {
            @Override
            public boolean granted() {
              granted.countDown();
              return true;
            }

            @Override
            public void giveUp() {}
          });
      granted.await();
      releasing.join();
      share.release(ClientMemory.ROOM);
    }
    assertThat(share.taken()).isZero();
  }
}
