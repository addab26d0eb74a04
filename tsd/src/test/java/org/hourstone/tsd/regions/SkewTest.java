package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.hourstone.codec.Schema;
import org.hourstone.kv.TableRegions;
import org.hourstone.kv.TableRegions.Region;
import org.hourstone.tsd.regions.Skew.Load;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SkewTest {
  private static final KeyForm SALTED = KeyForm.ofPoints(new Schema(3, 3, 3, 1, 4, 8));

  private static Region region(String start, @Nullable String stop, String server, long bytes) {
    HexFormat hex = HexFormat.of();
    return new Region(
        hex.parseHex(start), stop == null ? null : hex.parseHex(stop), server, bytes, 0, 2 * bytes);
  }

  @Test
  void isTheLargestPartInRelationToTheMean() {
    List<Region> regions =
        List.of(
            region("", "01", "a:1", 10),
            region("01", "02", "b:1", 70),
            region("02", null, "a:1", 40));

    Skew byRegion = Skew.byRegion(regions);
    assertThat(byRegion.parts()).hasSize(3);
    assertThat(byRegion.of(Load::bytes)).hasValue(70 / 40.0);
    assertThat(byRegion.of(Load::writes)).hasValue(70 / 40.0);
    assertThat(byRegion.of(Load::reads)).isEmpty();
    Skew byServer = Skew.byServer(regions);
    assertThat(byServer.parts()).hasSize(2);
    assertThat(byServer.of(Load::bytes)).hasValue(70 / 60.0);
    assertThat(byServer.total().bytes()).isEqualTo(120);
  }

  @Test
  void aRegionIsDividedBetweenItsSaltBuckets() {
    List<Region> regions =
        List.of(
            region("", "02", "a:1", 20),
            region("02", "02000001", "b:1", 30), // of bucket 2
            region("02000001", null, "b:1", 40));

    Skew bySalt = Skew.bySalt(regions, SALTED);

    assertThat(bySalt.parts().stream().map(Load::bytes)).containsExactly(10.0, 10.0, 50.0, 20.0);
    assertThat(bySalt.of(Load::bytes)).hasValue(50 / 22.5);
  }

  @Test
  void anUnsaltedTableHasOneBucket() {
    KeyForm form = KeyForm.ofPoints(Schema.DEFAULT);

    assertThat(Skew.bySalt(List.of(region("", "02", "a:1", 20)), form).parts()).hasSize(1);
  }

  /** Whatever the region, the key is inside, and no keys are read. */
  @ParameterizedTest
  @CsvSource({"'',,02", "'',03,01", "01,,02", "02,,03", "01000005,03,02", "00,02000001,01"})
  void severalBucketsAreSplitInTheMiddle(String start, @Nullable String stop, String key) {
    SplitProposal proposal =
        Objects.requireNonNull(
            SplitProposal.of("t", region(start, stop, "a:1", 1), SALTED, false, new Unread()));

    assertThat(proposal.keyText()).isEqualTo(key);
    assertThat(proposal.salt()).isEqualTo(Integer.parseInt(key));
  }

  @Test
  void oneBucketHasNoBoundaryOfTheSalt() {
    assertThat(SplitProposal.of("t", region("01", "02", "a:1", 1), SALTED, true, new Unread()))
        .isNull();
  }

  @Test
  void fewRegionsForTheSaltAreReported() {
    assertThat(TableChecks.fewRegions("tsdb", 4, SALTED)).isNull();
    assertThat(TableChecks.fewRegions("tsdb", 3, SALTED)).startsWith("table tsdb: 3 of its");
    assertThat(TableChecks.fewRegions("tsdb", 1, KeyForm.ofPoints(Schema.DEFAULT))).isNull();
  }

  /** Nothing may be asked. */
  private static final class Unread implements TableRegions {
    @Override
    public List<Region> regions(String table) {
      throw new AssertionError();
    }

    @Override
    public void forEachKey(
        String table, byte[] start, byte @Nullable [] stop, Consumer<byte[]> action) {
      throw new AssertionError();
    }

    @Override
    public void split(String table, byte[] key) {
      throw new AssertionError();
    }
  }
}
