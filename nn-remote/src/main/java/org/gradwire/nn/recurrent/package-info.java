/** Recurrent layers: RNN, LSTM and GRU, after {@code torch.nn.modules.rnn}. */
@NullMarked
package org.gradwire.nn.recurrent;

import org.jspecify.annotations.NullMarked;
