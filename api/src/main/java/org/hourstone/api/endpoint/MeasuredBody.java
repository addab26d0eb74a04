package org.hourstone.api.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.request.ResponseBody;

/** A body that counts what its generation takes. */
public interface MeasuredBody extends ResponseBody {
  /** Statistics of its generation so far, under OpenTSDB's names. */
  ObjectNode stats();
}
