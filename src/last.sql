-- last: from here on IDs may be made
SELECT _flakeid.flakeid_mark_take_over();
