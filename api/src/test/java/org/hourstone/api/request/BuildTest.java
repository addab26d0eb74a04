package org.hourstone.api.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BuildTest {
  private static final String COMMIT = "85bd7bf3d5a0f2c1e4b6978a0c1d2e3f40516273";

  @Test
  void theCommitAndItsTimeAreNamedIfKnown() {
    assertThat(Build.of("1.2.3")).hasToString("1.2.3");
    assertThat(new Build("1.2.3", COMMIT, "2026-11-28T04:40:44+00:00"))
        .hasToString("1.2.3 (commit " + COMMIT + " of 2026-11-28T04:40:44+00:00)");
  }

  @Test
  void aChangedTreeIsNoOtherRevision() {
    Build changed = new Build("1.2.3", COMMIT + "-dirty", "2026-11-28T04:40:44+00:00");

    assertThat(changed.isModified()).isTrue();
    assertThat(changed.revision()).isEqualTo(COMMIT);
    assertThat(new Build("1.2.3", COMMIT, "").isModified()).isFalse();
  }
}
