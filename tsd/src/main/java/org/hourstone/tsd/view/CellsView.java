package org.hourstone.tsd.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.util.HexFormat;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.tsd.terminal.OutputException;
import org.hourstone.tsd.terminal.TextOutput;

/** Cells as lines of JSON. */
public final class CellsView {
  private static final HexFormat HEX = HexFormat.of();

  private final boolean writeTime;
  private final JsonGenerator json;

  public CellsView(TextOutput out, boolean writeTime) {
    this.writeTime = writeTime;
    try {
      this.json =
          new JsonFactory()
              .createGenerator(out.stream())
              .setPrettyPrinter(new MinimalPrettyPrinter("\n"));
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  public void show(Family family, Row row) {
    String key = HEX.formatHex(row.key());
    try {
      for (int i = 0; i < row.size(); i++) {
        json.writeStartObject();
        json.writeStringField("table", family.table());
        json.writeStringField("row", key);
        json.writeStringField("family", family.name());
        json.writeStringField("qualifier", HEX.formatHex(row.qualifier(i)));
        json.writeStringField("value", HEX.formatHex(row.value(i)));
        if (writeTime) {
          json.writeNumberField("ts", row.writeTime(i));
        }
        json.writeEndObject();
      }
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  /** Ends the last line. */
  public void finish() {
    try {
      if (json.getOutputContext().getEntryCount() > 0) {
        json.writeRaw('\n');
      }
      json.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }
}
