package org.hourstone.head;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Readers of a row that gets a second point and is closed then: the data table has both. */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "before, and with the second")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "with the second")
@Outcome(id = "[12], -1", expect = Expect.ACCEPTABLE, desc = "before it closes, and after")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(expect = Expect.FORBIDDEN, desc = "points are lost, or are back")
@State
public class OpenRowCloses {
  private final OpenRow row = Rows.open();

  public OpenRowCloses() {
    row.append(Rows.POINT, 0, Rows.POINT.length);
  }

  @Actor
  public void write() {
    row.append(Rows.POINT, 0, Rows.POINT.length);
    row.close();
  }

  @Actor
  public void read(II_Result result) {
    result.r1 = Rows.points(row);
    result.r2 = Rows.points(row);
  }
}
