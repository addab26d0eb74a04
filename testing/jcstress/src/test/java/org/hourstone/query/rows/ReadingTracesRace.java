package org.hourstone.query.rows;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two cells of one place leave traces; the next reading of each finds its own time or none. */
@JCStressTest
@Outcome(id = "(0|99), (0|99)", expect = Expect.ACCEPTABLE, desc = "its own, or the other's")
@Outcome(expect = Expect.FORBIDDEN, desc = "the hash of one and the time of the other")
@State
public class ReadingTracesRace {
  private final ReadingTraces traces = new ReadingTraces(1);

  @Actor
  public void one(JJ_Result result) {
    traces.leave(0x1111_1111, 1);
    result.r1 = traces.leave(0x1111_1111, 100);
  }

  @Actor
  public void other(JJ_Result result) {
    traces.leave(0x2222_2222, 1001);
    result.r2 = traces.leave(0x2222_2222, 1100);
  }
}
