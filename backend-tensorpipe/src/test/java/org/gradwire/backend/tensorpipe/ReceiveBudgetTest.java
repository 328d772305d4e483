package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.junit.jupiter.api.Test;

/** One peer cannot exhaust the budget of all. */
class ReceiveBudgetTest {
    private final ReceiveBudget budget = new ReceiveBudget(100, 40);
    private final ReceiveBudget.Account one = new ReceiveBudget.Account();
    private final ReceiveBudget.Account two = new ReceiveBudget.Account();

    @Test
    void aPeerHoldsAtMostHalfAndLeavesTheOtherHalf() {
        var first = budget.claim(one);
        first.add(50);
        var refusal = assertThrows(DecodingException.class, () -> first.add(1));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("would be 51 for a limit of 50 for one peer"), text);
        assertThrows(DecodingException.class, () -> budget.claim(one).add(1));
        var second = budget.claim(two);
        second.requireRoomFor(50, 0);
        second.add(50);
        assertEquals(100, budget.totalBytes());
        first.close();
        second.close();
        assertEquals(0, budget.totalBytes());
        assertEquals(0, one.bytes());
    }

    @Test
    void allTogetherHoldAtMostTheLimit() {
        budget.claim(one).add(50);
        budget.claim(two).add(40);
        var third = budget.claim(new ReceiveBudget.Account());
        var refusal = assertThrows(DecodingException.class, () -> third.add(11));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("would be 101 for a limit of 100 for all peers"), text);
        assertEquals(90, budget.totalBytes());
        third.add(10);
        assertThrows(DecodingException.class, () -> third.requireRoomFor(1, 0));
    }

    @Test
    void anAnnouncementIsCheckedButNotCharged() {
        var claim = budget.claim(one);
        claim.requireRoomFor(50, 0);
        assertEquals(0, budget.totalBytes());
        assertThrows(DecodingException.class, () -> claim.requireRoomFor(51, 0));
        assertDoesNotThrow(() -> claim.requireRoomFor(0, 0));
    }

    @Test
    void aClaimThatIsClosedTwiceIsReturnedOnce() {
        budget.claim(two).add(10);
        var claim = budget.claim(one);
        claim.add(20);
        claim.close();
        claim.close();
        assertEquals(10, budget.totalBytes());
    }

    @Test
    void theHeapHasALimitOfItsOwn() {
        var first = budget.claim(one);
        first.addOnHeap(20);
        var refusal = assertThrows(DecodingException.class, () -> first.addOnHeap(1));
        String text = String.valueOf(refusal.getMessage());
        assertTrue(
                text.contains("would be 21 for a limit of 20 for one peer; a part of the heap"),
                text);
        assertEquals(20, budget.totalBytes());
        first.add(30);
        assertThrows(DecodingException.class, () -> first.requireRoomFor(0, 1));
        var second = budget.claim(two);
        second.requireRoomFor(20, 20);
        assertThrows(DecodingException.class, () -> second.requireRoomFor(21, 21));
        second.addOnHeap(20);
        var third = budget.claim(new ReceiveBudget.Account());
        assertThrows(DecodingException.class, () -> third.addOnHeap(1));
        first.close();
        third.addOnHeap(20);
        second.close();
        third.close();
        assertEquals(0, budget.totalBytes());
    }
}
