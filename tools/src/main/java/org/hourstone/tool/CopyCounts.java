package org.hourstone.tool;

/**
 * The counts of a family's copied cells.
 *
 * @param rows the number of rows read from the source
 * @param cells the number of cells of these rows
 * @param put the number of cells that were put, or would be put if this only verifies
 * @param differing the number of cells that have another value in the target, or may not replace
 *     the target's cell
 * @param newer the number of cells that the target keeps because they were written later there
 * @param dated the number of cells that have the same value but another write time in the target
 * @param checksum of the cells read from the source: the sum, modulo 2^64, of the first 8 bytes of
 *     a Murmur3-128 of each row's key, qualifiers and values
 * @param targetChecksum the checksum of the same cells as read back from the target
 */
public record CopyCounts(
    long rows,
    long cells,
    long put,
    long differing,
    long newer,
    long dated,
    long checksum,
    long targetChecksum) {
  static final CopyCounts NOTHING = new CopyCounts(0, 0, 0, 0, 0, 0, 0, 0);

  /** What changes if rows that were counted before are copied again. */
  CopyCounts again() {
    return new CopyCounts(0, 0, put, differing, 0, 0, 0, 0);
  }

  CopyCounts plus(CopyCounts more) {
    return new CopyCounts(
        rows + more.rows,
        cells + more.cells,
        put + more.put,
        differing + more.differing,
        newer + more.newer,
        dated + more.dated,
        checksum + more.checksum,
        targetChecksum + more.targetChecksum);
  }
}
