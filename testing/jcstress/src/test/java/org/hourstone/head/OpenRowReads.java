package org.hourstone.head;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** A reader of a row that gets two points, the second of which needs a larger array. */
@JCStressTest
@Outcome(id = "9", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "10", expect = Expect.ACCEPTABLE, desc = "with the first")
@Outcome(id = "11", expect = Expect.ACCEPTABLE, desc = "with both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a point without its bytes")
@State
public class OpenRowReads {
  private final OpenRow row = Rows.open();

  public OpenRowReads() {
    row.append(Rows.POINT, 0, Rows.POINT.length);
    for (int i = 1; i < 9; i++) {
      row.append(Rows.POINT, 0, 2, 2, 1);
    }
  }

  @Actor
  public void write() {
    row.append(Rows.POINT, 0, Rows.POINT.length);
    row.append(Rows.POINT, 0, 2, 2, 1);
  }

  @Actor
  public void read(I_Result result) {
    result.r1 = Rows.points(row);
  }
}
