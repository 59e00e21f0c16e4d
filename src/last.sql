-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
SELECT _flakeid.flakeid_tell_same_numbers();
