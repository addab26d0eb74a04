package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryLeaseTest {
  private static final long LIMIT = 1000;

  private long lent;

  private void lend(long delta) {
    if (lent + delta > LIMIT) {
      throw new IllegalStateException("over the limit");
    }
    lent += delta;
  }

  /** A lease and the bytes it took itself, as the test knows them. */
  private static final class Node {
    final MemoryLease lease;
    final List<Node> children = new ArrayList<>();
    long own;
    boolean closed;

    Node(MemoryLease lease) {
      this.lease = lease;
    }

    long all() {
      return closed ? 0 : own + children.stream().mapToLong(Node::all).sum();
    }

    boolean isUnder(Node other) {
      return other == this || other.children.stream().anyMatch(this::isUnder);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anySequenceOfUsesIsAccountedForAndEndsAtZero(long seed) {
    Random random = new Random(seed);
    Node root = new Node(new MemoryLease(this::lend));
    List<Node> nodes = new ArrayList<>(List.of(root));
    int refused = 0;
    for (int i = 0; i < 5000; i++) {
      Node node = nodes.get(random.nextInt(nodes.size()));
      long bytes = 1L + random.nextInt(200);
      switch (random.nextInt(8)) {
        case 0 -> {
          Node child = new Node(node.lease.child());
          node.children.add(child);
          nodes.add(child);
        }
        case 1 -> {
          if (node != root) {
            node.lease.close();
            node.closed = true;
          }
        }
        case 2 -> {
          if (!node.closed && bytes <= node.own) {
            node.lease.shrink(bytes);
            node.own -= bytes;
          }
        }
        default -> {
          boolean open = nodes.stream().noneMatch(up -> up.closed && node.isUnder(up));
          if (open && lent + bytes <= LIMIT) {
            node.lease.grow(bytes);
            node.own += bytes;
          } else {
            refused++;
            assertThatThrownBy(() -> node.lease.grow(bytes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(open ? "over the limit" : "a closed lease can't grow");
          }
        }
      }
      assertThat(lent).as("seed %d, step %d", seed, i).isEqualTo(root.all());
      assertThat(root.lease.bytes()).isEqualTo(lent);
    }
    assertThat(refused).isPositive();
    root.lease.close();
    assertThat(lent).isZero();
    nodes.forEach(node -> node.lease.close());
    assertThat(lent).isZero();
  }

  @Test
  void onlyTakenBytesAreGivenBack() {
    try (MemoryLease lease = new MemoryLease(this::lend)) {
      lease.grow(10);
      assertThatThrownBy(() -> lease.shrink(11)).isInstanceOf(IllegalArgumentException.class);
      assertThat(lent).isEqualTo(10);
    }
    assertThat(lent).isZero();
  }
}
